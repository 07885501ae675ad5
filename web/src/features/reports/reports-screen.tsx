import { ReportKind, ReportStatus } from '@ridewatch/contract/reports';
import { Select } from '../../forms/select.tsx';
import { useAddress } from '../../page/use-address.ts';
import { Choice } from '../../ui/choice.tsx';
import { pageKey, pageOf } from '../../ui/page-key.ts';
import { useTitle } from '../../ui/use-title.ts';
import type { ReportsAddress } from './address.ts';
import { ReportList } from './report-list.tsx';
import styles from './reports-screen.module.css';
import { useReportText } from './use-report-text.ts';

const ANY = 'any';

/** The user's reports, with filters by kind and state. */
export function ReportsScreen() {
  const text = useReportText();
  useTitle(text.title);
  const { search, note } = useAddress<ReportsAddress>();
  const kind = ReportKind.options.find((one) => one === search.kind);
  const status = ReportStatus.options.find((one) => one === search.status);
  const isFiltered = kind !== undefined || status !== undefined;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className="phone-hidden">{text.title}</h1>
        <p>{text.kept}</p>
      </header>
      <div className={styles.filters}>
        <div className={styles.kind}>
          <Select
            label={text.kind}
            value={kind ?? ANY}
            options={[
              { value: ANY, label: text.anyKind },
              ...ReportKind.options.map((value) => ({ value, label: text.kinds[value] })),
            ]}
            onChange={(next) => note({ kind: next === ANY ? undefined : next, page: undefined })}
          />
        </div>
        <Choice
          label={text.status}
          value={status ?? ANY}
          options={[
            { value: ANY, label: text.any },
            ...ReportStatus.options.map((value) => ({ value, label: text.filters[value] })),
          ]}
          onChange={(next) => note({ status: next === ANY ? undefined : next, page: undefined })}
        />
      </div>
      <ReportList
        wanted={{ kind, status, page: pageOf(search.page) }}
        onPage={(page) => note({ page: pageKey(page) })}
        onReset={
          isFiltered
            ? () => note({ kind: undefined, status: undefined, page: undefined })
            : undefined
        }
      />
    </div>
  );
}
