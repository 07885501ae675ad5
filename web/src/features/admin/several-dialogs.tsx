import type { changeBuses, changeRetentions } from '@ridewatch/contract/admin-several';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import type { Named } from '@ridewatch/contract/paging';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { DayField } from '../../forms/day-field.tsx';
import { fieldProblem } from '../../forms/field-problem.ts';
import { Modal } from '../../forms/modal.tsx';
import { PickField } from '../../forms/pick-field.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useFormText } from '../../forms/use-form-text.ts';
import { formatNumber } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { useRouteOptions } from './bus-settings.tsx';
import editStyles from './edit-form.module.css';
import { type AdminContext, type AnyRow, clientOptions } from './section.ts';
import styles from './several-bar.module.css';
import { useAdminText } from './use-admin-text.ts';
import { useSeveralText } from './use-several-text.ts';

/** Most days of retention. */
const MOST_DAYS = 36_500;

/** The frame of a dialog: it stays open until nothing refuses what was typed. */
export interface DialogFrame {
  /** The rows that refuse what was typed; null: none. */
  refusals: ReactNode;
  isBusy: boolean;
  onClose: () => void;
}

interface DialogProps extends DialogFrame {
  title: string;
  isReady: boolean;
  onChosen: () => void;
  children: ReactNode;
}

/** Asks for the new value; what would change is said next. */
function Dialog(props: DialogProps) {
  const { title, isReady, onChosen, refusals, isBusy, onClose, children } = props;
  const text = useSeveralText();
  const { cancel } = useText().common;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isReady) onChosen();
  };
  return (
    <Modal title={title} isHeld={isBusy} onClose={onClose}>
      <form className={editStyles.form} onSubmit={submit} noValidate>
        {children}
        {refusals}
        <div className={editStyles.actions}>
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={!isReady}>
            {text.next}
          </Button>
          <Button disabled={isBusy} onClick={onClose}>
            {cancel}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

const clientsOf = (row: AnyRow): readonly Named[] =>
  'clients' in row ? (row.clients as Named[]) : [];

type RouteChange = Extract<BodyOf<typeof changeBuses>['change'], { valid_from: string }>;

interface RouteDialogProps {
  context: AdminContext;
  rows: readonly AnyRow[];
  frame: DialogFrame;
  /** @param route its name; undefined: the buses will have none */
  onChosen: (change: RouteChange, route: string | undefined) => void;
}

/** Most customers whose routes are offered: those of the most chosen buses. Each is a call. */
const MOST_CUSTOMERS = 10;

/** Ids, the most frequent first. */
function byFrequency(ids: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
}

/** The route of several buses from a day on. Routes of their customers are offered. */
export function RouteDialog({ context, rows, frame, onChosen }: RouteDialogProps) {
  const text = useSeveralText();
  const all = useAdminText();
  const [day, setDay] = useState(context.today);
  const [route, setRoute] = useState('');
  const clients = byFrequency(rows.flatMap(clientsOf).map(({ id }) => id));
  const options = useRouteOptions(clients.slice(0, MOST_CUSTOMERS), true);
  const isReady = !route.startsWith('?');
  const group_id = route === '' ? null : Number(route);
  return (
    <Dialog
      {...{ ...frame, title: text.route, isReady }}
      onChosen={() => {
        const name = options.find(({ value }) => value === route)?.label;
        onChosen({ group_id, valid_from: day }, name);
      }}
    >
      <PickField
        label={all.fields.group_id}
        options={options}
        value={route}
        problem={isReady ? undefined : all.chooseFromList}
        hint={text.noRoute}
        onChange={setRoute}
      />
      {clients.length > MOST_CUSTOMERS && (
        <p className={styles.hint}>{text.routesOfSome(MOST_CUSTOMERS, clients.length)}</p>
      )}
      <DayField label={all.validFrom} day={day} today={context.today} onDay={setDay} />
    </Dialog>
  );
}

interface CustomerDialogProps {
  context: AdminContext;
  /** Of the buses, as text. */
  count: string;
  frame: DialogFrame;
  onChosen: (clientId: number, name: string) => void;
}

/** The customer to whom several buses go. */
export function CustomerDialog({ context, count, frame, onChosen }: CustomerDialogProps) {
  const text = useSeveralText();
  const all = useAdminText();
  const [client, setClient] = useState('');
  const isUnknown = client.startsWith('?');
  const options = clientOptions(context);
  const chosen = options.find(({ value }) => value === client);
  return (
    <Dialog
      {...{ ...frame, title: text.customer }}
      isReady={chosen !== undefined}
      onChosen={() => chosen && onChosen(Number(client), chosen.label)}
    >
      <PickField
        label={all.fields.client_id}
        options={options}
        value={client}
        problem={isUnknown ? all.chooseFromList : undefined}
        onChange={setClient}
      />
      <p className={styles.hint}>{text.customerHint(count)}</p>
    </Dialog>
  );
}

/** The kinds of data that are kept for a number of days: the fields of a retention. */
export const retentionKeys = ['video_days', 'files_days', 'positions_days'] as const;

type RetentionChange = BodyOf<typeof changeRetentions>['change'];

interface RetentionDialogProps {
  /** Of the customers. */
  count: number;
  frame: DialogFrame;
  onChosen: (change: RetentionChange) => void;
}

/** How long several customers keep their data; an empty field leaves it as it is. */
export function RetentionDialog({ count, frame, onChosen }: RetentionDialogProps) {
  const text = useSeveralText();
  const { retention } = useAdminText();
  const { problems } = useFormText();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const number = { least: 1, most: MOST_DAYS, isWhole: true };
  const problemOf = (key: string) => fieldProblem(typed[key] ?? '', { number }, problems);
  const named = retentionKeys.filter((key) => (typed[key] ?? '').trim() !== '');
  const isReady = named.length > 0 && retentionKeys.every((key) => problemOf(key) === undefined);
  return (
    <Dialog
      {...{ ...frame, title: retention.title, isReady }}
      onChosen={() => onChosen(Object.fromEntries(named.map((key) => [key, Number(typed[key])])))}
    >
      <p className={styles.hint}>{text.retentionHint(formatNumber(count))}</p>
      {retentionKeys.map((key) => (
        <TextField
          key={key}
          label={retention[key]}
          inputMode="numeric"
          value={typed[key] ?? ''}
          problem={problemOf(key)}
          onChange={({ target }) => setTyped({ ...typed, [key]: target.value })}
        />
      ))}
    </Dialog>
  );
}
