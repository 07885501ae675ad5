import type { BusRoute, CalculationType } from '@ridewatch/contract/bus-routes';
import { updateRoute } from '@ridewatch/contract/routes';
import { Link } from '@tanstack/react-router';
import { useAction } from '../../api.ts';
import type { BusPageState } from '../../bus-page/use-bus-page.ts';
import { SaveMark } from '../../edits/save-mark.tsx';
import { useChanges } from '../../edits/use-changes.ts';
import { useEditText } from '../../edits/use-edit-text.ts';
import { fieldProblem } from '../../forms/field-problem.ts';
import { SavedField } from '../../forms/saved-field.tsx';
import { useFormText } from '../../forms/use-form-text.ts';
import { Choice } from '../../ui/choice.tsx';
import { BusOnRoute } from './bus-on-route.tsx';
import { problemText } from './problem.ts';
import styles from './route-row.module.css';
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
  const { notSaved } = useEditText();
  const { problems } = useFormText();
  const update = useAction(updateRoute, { handled: true, onSuccess: invalidateRoutes });
  const changes = useChanges<'name' | 'type'>((error) => problemText(error, text));
  const refused = changes.states.get('type')?.reason;
  const save = (
    what: 'name' | 'type',
    body: { name?: string; type_calculation?: CalculationType },
  ) =>
    changes.run(what, {
      send: () => update.mutateAsync({ params: { groupId: route.id }, body }),
    });
  // Show the requested value at once, and the old one again after a refusal.
  const wanted = update.isPending ? update.variables.body?.type_calculation : undefined;
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
            onSave={(name) => save('name', { name })}
          />
        ) : (
          <span>{route.name}</span>
        )}
      </div>
      <div className={styles.type}>
        {mayEdit ? (
          <Choice
            label={`${text.calculationType}: ${route.name}`}
            value={wanted ?? route.type_calculation}
            options={[
              { value: 'FIXED', label: types.FIXED },
              { value: 'CALCULATION', label: types.CALCULATION },
            ]}
            onChange={(type_calculation) => {
              if (type_calculation === route.type_calculation) return;
              void save('type', { type_calculation });
            }}
          />
        ) : (
          types[route.type_calculation]
        )}
        {refused !== undefined && <SaveMark state="failed" reason={refused} />}
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
      {refused !== undefined && (
        <p role="alert" className={styles.problem}>
          {notSaved}: {refused}
        </p>
      )}
    </li>
  );
}
