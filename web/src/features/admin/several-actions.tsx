import {
  changeBuses,
  changeCameras,
  changeCustomers,
  changeRetentions,
  changeUnits,
  changeUsers,
} from '@ridewatch/contract/admin-several';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import { type ReactNode, useState } from 'react';
import { call } from '../../calls/request.ts';
import type { ApiError } from '../../core/api-error.ts';
import { formatNumber } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import type { AdminContext, AnyRow, Section } from './section.ts';
import { CustomerDialog, RetentionDialog, RouteDialog } from './several-dialogs.tsx';
import { useSeveralText } from './use-several-text.ts';

/** One call about the chosen rows. @param preview it says what would become different, and changes nothing */
export type Change = (
  ids: number[],
  preview: boolean,
) => Promise<{ changed: number; changed_ids: number[] }>;

/** A change that the user has chosen. */
export interface Wanted {
  readonly title: string;
  readonly note?: string;
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

function RetentionAction({ rows, isBusy, onWanted }: SeveralActionsProps) {
  const text = useSeveralText();
  const [isOpen, setOpen] = useState(false);
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
              title: text.retention,
              note: text.retentionNote,
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
  const ask = (title: string, change: BusChange, note?: string) => {
    setOpened(undefined);
    onWanted({
      title,
      ...(note !== undefined && { note }),
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
        <Button isBusy={isBusy} onClick={() => ask(text.giveBack, { retired: false })}>
          {text.giveBack}
        </Button>
      ) : (
        <Button
          kind="danger"
          isBusy={isBusy}
          onClick={() => ask(text.retire, { retired: true }, text.retireNote)}
        >
          {text.retire}
        </Button>
      )}
      {opened === 'route' && (
        <RouteDialog
          {...{ context, rows }}
          onClose={close}
          onChosen={(change) => ask(text.route, change, text.routeNote)}
        />
      )}
      {opened === 'customer' && (
        <CustomerDialog
          context={context}
          count={formatNumber(rows.length)}
          onClose={close}
          onChosen={(client_ids) => ask(text.customer, { client_ids }, text.customerNote)}
        />
      )}
    </>
  );
}
