import {
  changeBuses,
  changeCameras,
  changeCustomers,
  changeRetentions,
  changeUnits,
  changeUnknownUnits,
  changeUsers,
} from '@ridewatch/contract/admin-several';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import type { ReactNode } from 'react';
import { call } from '../../calls/request.ts';
import type { ApiError } from '../../core/api-error.ts';
import { formatDay, formatNumber } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import type { AdminContext, AnyRow, Section } from './section.ts';
import { type Change, nameOfRow, type Wanted, type Would } from './several-change.ts';
import {
  CustomerDialog,
  type DialogFrame,
  RetentionDialog,
  RouteDialog,
  retentionKeys,
} from './several-dialogs.tsx';
import { customerNotes, routeNotes } from './several-notes.ts';
import { useAdminText } from './use-admin-text.ts';
import { useSeveralText } from './use-several-text.ts';

/** The dialogs that ask for a new value. */
export type DialogName = 'route' | 'customer' | 'retention';

interface SeveralActionsProps {
  section: Section<never>['name'];
  context: AdminContext;
  rows: readonly AnyRow[];
  isBusy: boolean;
  /** The dialog that is open. */
  opened: DialogName | undefined;
  frame: DialogFrame;
  onOpen: (name: DialogName) => void;
  onWanted: (wanted: Wanted) => void;
}

/** Refusals that name a row are told in a dialog; others show a toast of their own. */
const isQuiet = ({ field }: ApiError): boolean => field?.startsWith('ids.') ?? false;

const enablingCalls = {
  users: changeUsers,
  cameras: changeCameras,
  units: changeUnits,
  customers: changeCustomers,
} as const;

/** The buttons of what can be done with rows of a section. */
export function SeveralActions(props: SeveralActionsProps): ReactNode {
  const { section } = props;
  if (section === 'buses') return <BusActions {...props} />;
  if (section === 'unknown_units') return <IgnoringActions {...props} />;
  if (!(section in enablingCalls)) return null;
  const own = section as keyof typeof enablingCalls;
  return (
    <>
      <EnablingActions {...props} section={own} />
      {own === 'customers' && <RetentionAction {...props} />}
    </>
  );
}

function EnablingActions({
  section,
  isBusy,
  onWanted,
}: SeveralActionsProps & { section: keyof typeof enablingCalls }) {
  const text = useSeveralText();
  const endpoint = enablingCalls[section];
  return [true, false].map((enabled) => {
    const way = enabled ? 'on' : 'off';
    const title = text.enable[section][way];
    const notesOf = () => [text.enabling[section][way]];
    const change: Change = (ids, preview) =>
      call(endpoint, { body: { ids, preview, change: { enabled } }, isQuiet });
    return (
      <Button
        key={`${enabled}`}
        isBusy={isBusy}
        onClick={() => onWanted({ title, notesOf, change })}
      >
        {title}
      </Button>
    );
  });
}

function IgnoringActions({ rows, isBusy, onWanted }: SeveralActionsProps) {
  const text = useSeveralText();
  // One list has those of one kind.
  const ignored = !rows.every((row) => 'ignored' in row && row.ignored === true);
  const way = ignored ? 'off' : 'on';
  const title = text.enable.unknown_units[way];
  const notesOf = () => [text.enabling.unknown_units[way]];
  const change: Change = (ids, preview) =>
    call(changeUnknownUnits, { body: { ids, preview, change: { ignored } } });
  return (
    <Button isBusy={isBusy} onClick={() => onWanted({ title, notesOf, change })}>
      {title}
    </Button>
  );
}

type RetentionChange = BodyOf<typeof changeRetentions>['change'];

function RetentionAction(props: SeveralActionsProps) {
  const { rows, isBusy, opened, frame, onOpen, onWanted } = props;
  const text = useSeveralText();
  const { retention } = useAdminText();
  const changesOf = (id: number, change: RetentionChange, former: Would['former_days']) => {
    const own = former?.customers.find((one) => one.id === id);
    if (former === undefined || own === undefined) return [];
    return retentionKeys.flatMap((key) => {
      const [was, is] = [own[key], change[key]];
      if (typeof is !== 'number' || is === was) return [];
      const before = formatNumber(was ?? former.defaults[key]);
      const named = was === null ? text.byDefault(before) : before;
      return [`${retention[key]} ${named} → ${formatNumber(is)}`];
    });
  };
  return (
    <>
      <Button isBusy={isBusy} onClick={() => onOpen('retention')}>
        {text.retention}
      </Button>
      {opened === 'retention' && (
        <RetentionDialog
          count={rows.length}
          frame={frame}
          onChosen={(change) =>
            onWanted({
              ...{ title: retention.title, notesOf: () => [text.retentionNote] },
              lineOf: ({ id }, name, { former_days: former }) =>
                `${name}: ${changesOf(id, change, former).join(', ')}`,
              change: (ids, preview) =>
                call(changeRetentions, { body: { ids, preview, change }, isQuiet }),
            })
          }
        />
      )}
    </>
  );
}

type BusChange = BodyOf<typeof changeBuses>['change'];

/** A change of buses. A hand-over says the days that its last preview has said: after midnight it would begin later. */
function changeOfBuses(wanted: BusChange): Change {
  let seen: { id: number; from: string | null }[] | undefined;
  return async (ids, preview) => {
    const change = { ...wanted, ...(!preview && seen && { seen }) };
    const would = await call(changeBuses, { body: { ids, preview, change }, isQuiet });
    if (preview) seen = would.former_clients?.map(({ id, from }) => ({ id, from }));
    return would;
  };
}

function BusActions(props: SeveralActionsProps) {
  const { context, rows, isBusy, opened, frame, onOpen, onWanted } = props;
  const text = useSeveralText();
  const areRetired = rows.every((row) => 'retired_at' in row && row.retired_at !== null);
  const ask = (change: BusChange, wanted: Omit<Wanted, 'change'>) =>
    onWanted({ ...wanted, change: changeOfBuses(change) });
  return (
    <>
      {context.user.role === 'ADMIN' && (
        <Button isBusy={isBusy} onClick={() => onOpen('route')}>
          {text.route}
        </Button>
      )}
      <Button isBusy={isBusy} onClick={() => onOpen('customer')}>
        {text.customer}
      </Button>
      {areRetired ? (
        <Button
          isBusy={isBusy}
          onClick={() =>
            ask({ retired: false }, { title: text.giveBack, notesOf: () => [text.giveBackNote] })
          }
        >
          {text.giveBack}
        </Button>
      ) : (
        <Button
          kind="danger"
          isBusy={isBusy}
          onClick={() =>
            ask({ retired: true }, { title: text.retire, notesOf: () => [text.retireNote] })
          }
        >
          {text.retire}
        </Button>
      )}
      {opened === 'route' && (
        <RouteDialog
          {...{ context, rows, frame }}
          onChosen={(change, route = text.withoutRoute) => {
            const day = formatDay(change.valid_from);
            ask(change, {
              title: text.route,
              notesOf: ({ changed_ids: ids }) => {
                const own = rows.filter(({ id }) => ids.includes(id));
                return routeNotes(change.valid_from, own, text);
              },
              lineOf: ({ id }, name, { former_routes = [] }) => {
                const former = former_routes.find((one) => one.id === id)?.route?.name;
                return text.becomes(name, former ?? text.withoutRoute, route, day);
              },
            });
          }}
        />
      )}
      {opened === 'customer' && (
        <CustomerDialog
          {...{ context, frame }}
          count={formatNumber(rows.length)}
          onChosen={(id, client) =>
            ask(
              { client_ids: [id] },
              {
                ...{ title: text.customer, notesOf: (would) => customerNotes(would, text) },
                // The former customers are in the line.
                lineOf: (row, _, { former_clients = [] }) => {
                  const name = nameOfRow(row);
                  const former = former_clients.find((one) => one.id === row.id);
                  const names = (former?.clients ?? []).map((one) => one.name).join(', ');
                  if (!former?.from) return text.allDays(text.becomes(name, names, client));
                  return text.becomes(name, names, client, formatDay(former.from));
                },
              },
            )
          }
        />
      )}
    </>
  );
}
