import { MAX_BUS_IDS } from '@ridewatch/contract/stat-limits';
import { headingOf } from '../../buses/order.ts';
import { useBuses } from '../../buses/use-buses.ts';
import { useCustomerRoutes } from '../../buses/use-customer-routes.ts';
import { useSession } from '../../core/session.ts';
import { useText } from '../../i18n/language.ts';
import { Waiting } from '../../page/waiting.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { NoForm } from './no-form.tsx';
import { ReportForm } from './report-form.tsx';
import { useReportText } from './use-report-text.ts';

/** The advanced report: routes by day and hour. */
export function AdvancedReportScreen() {
  const text = useReportText();
  const { loadFailed } = useText().common;
  const title = text.kinds['advanced-report'];
  useTitle(title);
  const user = useSession()?.user;
  const isOpen = !!user?.advanced_report;
  const { answer: routes } = useCustomerRoutes(isOpen);
  const customers = useBuses({ isPaused: true }).data?.customers ?? [];
  if (!isOpen) {
    return (
      <NoForm title={title} reason={text.advancedClosedTitle} text={text.advancedClosedText} />
    );
  }
  if (!routes.data)
    return <Waiting answer={routes} failed={loadFailed} headPx={60} bodyPx={520} isPage />;
  const own = user.advanced_report_clients;
  const items = routes.data.filter(({ client_id }) => own?.includes(client_id) !== false);
  const names = new Map(customers.map((customer) => [customer.id, headingOf(customer)]));
  const hasCustomers = new Set(items.map(({ client_id }) => client_id)).size > 1;
  return (
    <ReportForm
      kind="advanced-report"
      title={title}
      intro={text.advancedIntro}
      subjects={{
        label: text.routesField,
        items: items.map(({ id, name, client_id }) => ({
          id,
          name,
          note: hasCustomers ? names.get(client_id) : undefined,
        })),
        noneChosen: text.noneChosen,
        empty: text.noRoutes,
        isRequired: true,
        most: MAX_BUS_IDS,
        tooMany: text.tooManyRoutes(MAX_BUS_IDS),
      }}
      parametersOf={(days, groupIds) => ({
        kind: 'advanced-report',
        ...days,
        groupIds: [...groupIds],
      })}
    />
  );
}
