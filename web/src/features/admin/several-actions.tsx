import {
  changeBuses,
  changeCameras,
  changeCustomers,
  changeRetentions,
  changeUnits,
  changeUsers,
} from '@ridewatch/contract/admin-several';
import type { BodyOf, ResponseOf } from '@ridewatch/contract/endpoint';
import { type ReactNode, useState } from 'react';
import { call } from '../../calls/request.ts';
import type { ApiError } from '../../core/api-error.ts';
import { formatDay, formatNumber } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import type { AdminContext, AnyRow, Section } from './section.ts';
import { CustomerDialog, RetentionDialog, RouteDialog, retentionKeys } from './several-dialogs.tsx';
import { useAdminText } from './use-admin-text.ts';
import { useSeveralText } from './use-several-text.ts';

/** The rows that become different; of routes, customers and retention also what is replaced. */
export type Would = ResponseOf<typeof changeBuses> & ResponseOf<typeof changeRetentions>;

/** One call about the chosen rows. @param preview it says what would become different, and changes nothing */
type Change = (ids: number[], preview: boolean) => Promise<Would>;

/** A change that the user has chosen. */
export interface Wanted {
  readonly title: string;
  readonly note?: string;
  /** Says of a row with a name what it becomes; absent: the title says it of all. */
  readonly lineOf?: (row: AnyRow, name: string, would: Would) => string;
  readonly change: Change;
}

interface SeveralActionsProps {
  section: Section<never>['name'];
  context: AdminContext;
  rows: readonly AnyRow[];
  isBusy: boolean;
  onWanted: (wanted: Wanted) => void;
}

/** Refusals that name a row are told by the bar; others show a toast of their own. */
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
    const title = text.enable[section][enabled ? 'on' : 'off'];
    const change: Change = (ids, preview) =>
      call(endpoint, { body: { ids, preview, change: { enabled } }, isQuiet });
    return (
      <Button key={`${enabled}`} isBusy={isBusy} onClick={() => onWanted({ title, change })}>
        {title}
      </Button>
    );
  });
}

type RetentionChange = BodyOf<typeof changeRetentions>['change'];

function RetentionAction({ rows, isBusy, onWanted }: SeveralActionsProps) {
  const text = useSeveralText();
  const { retention } = useAdminText();
  const [isOpen, setOpen] = useState(false);
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
      <Button isBusy={isBusy} onClick={() => setOpen(true)}>
        {text.retention}
      </Button>
      {isOpen && (
        <RetentionDialog
          count={rows.length}
          onClose={() => setOpen(false)}
          onChosen={(change) => {
            setOpen(false);
            onWanted({
              ...{ title: retention.title, note: text.retentionNote },
              lineOf: ({ id }, name, { former_days: former }) =>
                `${name}: ${changesOf(id, change, former).join(', ')}`,
              change: (ids, preview) =>
                call(changeRetentions, { body: { ids, preview, change }, isQuiet }),
            });
          }}
        />
      )}
    </>
  );
}

type BusChange = BodyOf<typeof changeBuses>['change'];

function BusActions({ context, rows, isBusy, onWanted }: SeveralActionsProps) {
  const text = useSeveralText();
  const [opened, setOpened] = useState<'route' | 'customer'>();
  const areRetired = rows.every((row) => 'retired_at' in row && row.retired_at !== null);
  const ask = (change: BusChange, wanted: Omit<Wanted, 'change'>) => {
    setOpened(undefined);
    onWanted({
      ...wanted,
      change: (ids, preview) => call(changeBuses, { body: { ids, preview, change }, isQuiet }),
    });
  };
  const close = () => setOpened(undefined);
  return (
    <>
      {context.user.role === 'ADMIN' && (
        <Button isBusy={isBusy} onClick={() => setOpened('route')}>
          {text.route}
        </Button>
      )}
      <Button isBusy={isBusy} onClick={() => setOpened('customer')}>
        {text.customer}
      </Button>
      {areRetired ? (
        <Button isBusy={isBusy} onClick={() => ask({ retired: false }, { title: text.giveBack })}>
          {text.giveBack}
        </Button>
      ) : (
        <Button
          kind="danger"
          isBusy={isBusy}
          onClick={() => ask({ retired: true }, { title: text.retire, note: text.retireNote })}
        >
          {text.retire}
        </Button>
      )}
      {opened === 'route' && (
        <RouteDialog
          {...{ context, rows }}
          onClose={close}
          onChosen={(change, route = text.withoutRoute) => {
            const day = formatDay(change.valid_from);
            ask(change, {
              ...{ title: text.route, note: text.routeNote },
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
          context={context}
          count={formatNumber(rows.length)}
          onClose={close}
          onChosen={(id, client) =>
            ask(
              { client_ids: [id] },
              {
                ...{ title: text.customer, note: text.customerNote },
                lineOf: (row, name, { former_clients = [] }) => {
                  const former = former_clients.find((one) => one.id === row.id)?.clients ?? [];
                  return text.becomes(name, former.map((one) => one.name).join(', '), client);
                },
              },
            )
          }
        />
      )}
    </>
  );
}
