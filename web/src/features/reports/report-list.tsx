import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ReportItem } from './report-item.tsx';
import styles from './report-list.module.css';
import { useReportText } from './use-report-text.ts';
import { REPORTS_PAGE, useReports, type WantedReports } from './use-reports.ts';

interface ReportListProps {
  wanted: WantedReports;
  onPage: (page: number) => void;
  /** Resets the filters; absent if there are none. */
  onReset?: (() => void) | undefined;
  /** Shows nothing instead of an empty state. */
  isBrief?: boolean;
}

/** A page of the user's reports, with their progress. */
export function ReportList({ wanted, onPage, onReset, isBrief = false }: ReportListProps) {
  const text = useReportText();
  const common = useText().common;
  const answer = useReports(wanted);
  const { data } = answer;
  if (data === undefined) {
    return answer.isError ? (
      <div className={styles.failed} role="alert">
        {text.listFailed}
        <Button isBusy={answer.isFetching} onClick={() => void answer.refetch()}>
          {common.retry}
        </Button>
      </div>
    ) : (
      <div className={styles.waiting} aria-busy="true" />
    );
  }
  const { page = 0 } = wanted;
  const pages = Math.ceil(data.total / REPORTS_PAGE);
  if (data.items.length === 0) {
    if (isBrief && page === 0) return null;
    return (
      <EmptyState
        title={onReset ? text.noneFound : text.none}
        text={onReset ? text.noneFoundText : text.noneText}
      >
        {onReset && <Button onClick={onReset}>{text.resetFilters}</Button>}
        {page > 0 && <Button onClick={() => onPage(0)}>{text.newer}</Button>}
      </EmptyState>
    );
  }
  const first = page * REPORTS_PAGE;
  return (
    <>
      <ul className={styles.list} aria-label={text.title}>
        {data.items.map((report) => (
          <ReportItem key={report.id} report={report} />
        ))}
      </ul>
      <Pager
        label={text.title}
        page={page}
        pages={pages}
        newer={text.newer}
        older={text.older}
        onPage={onPage}
      >
        {text.page(first + 1, first + data.items.length, data.total)}
      </Pager>
    </>
  );
}
