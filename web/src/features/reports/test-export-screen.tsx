import { MAX_BUSES_OF_REPORT } from '@ridewatch/contract/stat-limits';
import { headingOf } from '../../buses/order.ts';
import { useBuses } from '../../buses/use-buses.ts';
import { useText } from '../../i18n/language.ts';
import { Waiting } from '../../page/waiting.tsx';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { useTitle } from '../../ui/use-title.ts';
import { NoForm } from './no-form.tsx';
import { ReportForm } from './report-form.tsx';
import { useReportText } from './use-report-text.ts';

/** The test export: every raw event of buses. It has no layout for phones (specification, section 2). */
export function TestExportScreen() {
  const text = useReportText();
  const { loadFailed } = useText().common;
  const title = text.kinds['test-export'];
  useTitle(title);
  const isPhone = useIsPhone();
  const buses = useBuses({ isPaused: true });
  if (isPhone) {
    return <NoForm title={title} reason={text.narrowTitle} text={text.narrowText} />;
  }
  const { sections } = buses;
  if (!sections)
    return <Waiting answer={buses} failed={loadFailed} headPx={60} bodyPx={520} isPage />;
  const hasCustomers = sections.length > 1;
  const items = sections.flatMap(({ customer, routes }) =>
    routes.flatMap((route) =>
      route.buses.map(({ id, name }) => ({
        id,
        name,
        note: [hasCustomers ? headingOf(customer) : '', route.name ?? '']
          .filter(Boolean)
          .join(' · '),
      })),
    ),
  );
  return (
    <ReportForm
      kind="test-export"
      title={title}
      intro={text.testIntro}
      subjects={{
        label: text.buses,
        items,
        noneChosen: text.wholeFleet,
        empty: text.noBuses,
        isRequired: false,
        most: MAX_BUSES_OF_REPORT,
        tooMany: text.tooManyBuses(MAX_BUSES_OF_REPORT),
      }}
      parametersOf={(days, ids) => ({
        kind: 'test-export',
        ...days,
        ...(ids.length > 0 && { workplaceIds: [...ids] }),
      })}
    />
  );
}
