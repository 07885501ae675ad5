import {
  changeBuses,
  changeCameras,
  changeUsers,
  MOST_SEVERAL,
} from '@ridewatch/contract/admin-several';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import { DayField } from '../../forms/day-field.tsx';
import { Modal } from '../../forms/modal.tsx';
import { PickField } from '../../forms/pick-field.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useRouteOptions } from './bus-parts.tsx';
import editStyles from './edit-form.module.css';
import type { AdminContext, Section } from './section.ts';
import styles from './several-bar.module.css';
import { en } from './several-texts-en.ts';
import { ru } from './several-texts-ru.ts';
import { Sure } from './sure.tsx';
import { useAdminText } from './use-admin-text.ts';
import { readAgain } from './use-rows.ts';
import type { Selection } from './use-selection.ts';

const useSeveralText = textsOf({ ru_RU: ru, en_US: en });

interface SeveralBarProps {
  section: Section<never>['name'];
  context: AdminContext;
  selection: Selection<{ readonly id: number }>;
  /** Rows that are found. */
  total: number;
}

type Change = (ids: number[]) => Promise<{ changed: number }>;

/** What can be done with the chosen rows: all of them, or none. */
export function SeveralBar({ section, context, selection, total }: SeveralBarProps) {
  const text = useSeveralText();
  const [isBusy, setBusy] = useState(false);
  const count = selection.rows.size;
  useEffect(
    () => () => {
      // The button that had the focus is gone with the bar.
      if (document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>('[data-row] input[type=checkbox]')?.focus();
    },
    [],
  );
  const run = async (change: Change): Promise<void> => {
    setBusy(true);
    const ids = [...selection.rows.keys()];
    try {
      const { changed } = await change(ids);
      showToast({ kind: 'done', text: text.done(changed, ids.length) });
      selection.clear();
    } catch (error) {
      if (error instanceof ApiError) tell(error, ids);
    } finally {
      setBusy(false);
      await readAgain();
    }
  };
  const all = useAdminText();
  const tell = (error: ApiError, ids: readonly number[]): void => {
    const [, place, field] = /^ids\.(\d+)(?:\.(.+))?$/.exec(error.field ?? '') ?? [];
    if (place === undefined) return;
    const row = selection.rows.get(ids[Number(place)] ?? 0);
    const name = row && nameOfRow(row);
    const why = all.problems[`${error.error}.${field}`] ?? all.refused;
    showToast({ kind: 'error', text: text.refused(name ?? ''), more: why });
  };
  return (
    <section className={styles.bar} aria-label={text.title}>
      <strong role="status">
        {text.chosen(formatNumber(count))}
        {count === MOST_SEVERAL &&
          total > MOST_SEVERAL &&
          `. ${text.most(formatNumber(MOST_SEVERAL))}`}
      </strong>
      <Actions {...{ section, context, selection, isBusy }} run={(change) => void run(change)} />
      <Button kind="quiet" onClick={selection.clear}>
        {text.clear}
      </Button>
    </section>
  );
}

const nameOfRow = (row: object): string =>
  ('login' in row && String(row.login)) || ('name' in row && String(row.name)) || '';

/** Refusals that name a row are told here; others show a toast of their own. */
const isQuiet = ({ field }: ApiError): boolean => field?.startsWith('ids.') ?? false;

interface ActionsProps extends Pick<SeveralBarProps, 'section' | 'context' | 'selection'> {
  isBusy: boolean;
  run: (change: Change) => void;
}

function Actions({ section, context, selection, isBusy, run }: ActionsProps): ReactNode {
  const text = useSeveralText();
  const [isMoving, setMoving] = useState(false);
  if (section === 'buses') {
    const areRetired = [...selection.rows.values()].every(
      (row) => 'retired_at' in row && row.retired_at !== null,
    );
    const retire = (retired: boolean) =>
      run((ids) => call(changeBuses, { body: { ids, change: { retired } }, isQuiet }));
    return (
      <>
        {context.user.role === 'ADMIN' && (
          <Button isBusy={isBusy} onClick={() => setMoving(true)}>
            {text.route}
          </Button>
        )}
        {areRetired ? (
          <Button isBusy={isBusy} onClick={() => retire(false)}>
            {text.giveBack}
          </Button>
        ) : (
          <Sure
            label={text.retire}
            text={text.retireText(selection.rows.size, formatNumber(selection.rows.size))}
            isBusy={isBusy}
            onSure={() => retire(true)}
          />
        )}
        {isMoving && (
          <RouteDialog
            {...{ context, selection }}
            onClose={() => setMoving(false)}
            onChosen={(change) => {
              setMoving(false);
              run((ids) => call(changeBuses, { body: { ids, change }, isQuiet }));
            }}
          />
        )}
      </>
    );
  }
  const endpoint = section === 'users' ? changeUsers : changeCameras;
  return [true, false].map((enabled) => (
    <Button
      key={`${enabled}`}
      isBusy={isBusy}
      onClick={() => run((ids) => call(endpoint, { body: { ids, change: { enabled } }, isQuiet }))}
    >
      {text.enable[section === 'users' ? 'users' : 'cameras'][enabled ? 'on' : 'off']}
    </Button>
  ));
}

interface RouteDialogProps extends Pick<SeveralBarProps, 'context' | 'selection'> {
  onClose: () => void;
  onChosen: (change: { group_id: number | null; valid_from: string }) => void;
}

/** The route of several buses from a day on. Routes of all their customers are offered. */
function RouteDialog({ context, selection, onClose, onChosen }: RouteDialogProps) {
  const text = useSeveralText();
  const all = useAdminText();
  const { cancel } = useText().common;
  const [day, setDay] = useState(context.today);
  const [route, setRoute] = useState('');
  const clients = [...selection.rows.values()].flatMap((row) =>
    'clients' in row ? (row.clients as { id: number }[]).map(({ id }) => id) : [],
  );
  const options = useRouteOptions([...new Set(clients)], true);
  const isChosen = !route.startsWith('?');
  return (
    <Modal title={text.route} onClose={onClose}>
      <PickField
        label={all.fields.group_id}
        options={options}
        value={route}
        problem={isChosen ? undefined : all.chooseFromList}
        hint={text.noRoute}
        onChange={setRoute}
      />
      <DayField label={all.validFrom} day={day} today={context.today} onDay={setDay} />
      <p className={styles.hint}>{all.validFromHint}</p>
      <div className={editStyles.actions}>
        <Button
          kind="primary"
          disabled={!isChosen}
          onClick={() =>
            onChosen({ group_id: route === '' ? null : Number(route), valid_from: day })
          }
        >
          {text.move(selection.rows.size, formatNumber(selection.rows.size))}
        </Button>
        <Button onClick={onClose}>{cancel}</Button>
      </div>
    </Modal>
  );
}
