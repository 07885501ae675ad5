import type { BusRoute, CalculationType } from '@ridewatch/contract/bus-routes';
import { findRoute, updateRoute } from '@ridewatch/contract/routes';
import { Link } from '@tanstack/react-router';
import type { BusPageState } from '../../bus-page/use-bus-page.ts';
import { useAction } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import { NoteButton } from '../../edits/note-button.tsx';
import { SaveMark } from '../../edits/save-mark.tsx';
import { useChanges } from '../../edits/use-changes.ts';
import { useEditText } from '../../edits/use-edit-text.ts';
import { fieldProblem } from '../../forms/field-problem.ts';
import { SavedField } from '../../forms/saved-field.tsx';
import { useFormText } from '../../forms/use-form-text.ts';
import { useText } from '../../i18n/language.ts';
import { Choice } from '../../ui/choice.tsx';
import { BusOnRoute } from './bus-on-route.tsx';
import styles from './route-row.module.css';
import { useEditProblem } from './use-edit-problem.ts';
import { invalidateRoutes } from './use-route.ts';
import { useRouteText } from './use-route-text.ts';

interface RouteRowProps {
  route: BusRoute;
  page: BusPageState;
  /** It is the route of the page's bus. */
  isOwn: boolean;
  mayEdit: boolean;
  isAdmin: boolean;
}

/** A route in the list: its name, its revenue calculation, and for administrators the bus's assignment. */
export function RouteRow({ route, page, isOwn, mayEdit, isAdmin }: RouteRowProps) {
  const text = useRouteText();
  const common = useText().common;
  const { notSaved } = useEditText();
  const { problems } = useFormText();
  const update = useAction(updateRoute, { onSuccess: invalidateRoutes });
  const reasonOf = useEditProblem();
  const changes = useChanges<'type', CalculationType>(reasonOf);
  const failure = changes.states.get('type');
  const type = changes.shownOver(route.type_calculation);
  const params = { groupId: route.id };
  const readName = async () => {
    const { name } = await call(findRoute, { params, query: {} });
    void invalidateRoutes();
    return name;
  };
  const setType = (type_calculation: CalculationType) => {
    const seen = { type_calculation: type };
    changes.run('type', {
      send: () => update.mutateAsync({ params, body: { type_calculation, seen } }),
      guess: () => type_calculation,
      undo: () => void invalidateRoutes(),
    });
  };
  const types: Readonly<Record<CalculationType, string>> = {
    FIXED: text.fixed,
    CALCULATION: text.calculation,
  };
  return (
    <li className={styles.row} data-own={isOwn || undefined}>
      <div className={styles.name}>
        {mayEdit ? (
          <SavedField
            label={`${text.routeName}: ${route.name}`}
            isLabelHidden
            value={route.name}
            check={(name) => fieldProblem(name, { isRequired: true }, problems)}
            onSave={(name, seen) =>
              update.mutateAsync({ params, body: { name, seen: { name: seen } } })
            }
            reasonOf={reasonOf}
            readStored={readName}
          />
        ) : (
          <span>{route.name}</span>
        )}
      </div>
      <div className={styles.type}>
        {mayEdit ? (
          <Choice
            label={`${text.calculationType}: ${route.name}`}
            value={type}
            options={[
              { value: 'FIXED', label: types.FIXED },
              { value: 'CALCULATION', label: types.CALCULATION },
            ]}
            onChange={(type_calculation) => {
              if (type_calculation !== type) setType(type_calculation);
            }}
          />
        ) : (
          types[type]
        )}
        {failure?.reason !== undefined && <SaveMark state="failed" reason={failure.reason} />}
      </div>
      <div className={styles.actions}>
        {isOwn && <span className={styles.tag}>{text.ofThisBus}</span>}
        {isAdmin && <BusOnRoute route={route} page={page} isOn={isOwn} />}
        <Link
          to="/bus/$busId/route"
          params={{ busId: String(page.info.id) }}
          search={{
            ...(page.isToday ? {} : { date: page.date }),
            ...(isOwn ? {} : { route: String(route.id) }),
          }}
          className={styles.open}
          aria-label={`${text.openRoute}: ${route.name}`}
        >
          {text.openRoute}
        </Link>
      </div>
      {failure?.reason !== undefined && (
        <p role="alert" className={styles.problem}>
          {notSaved}: {failure.reason}{' '}
          {failure.isUnanswered && <NoteButton onClick={changes.retry}>{common.retry}</NoteButton>}
        </p>
      )}
    </li>
  );
}
