import { formatMoment } from '@ridewatch/contract/day';
import { cancelReport, findReport, type Report } from '@ridewatch/contract/reports';
import { useMutation } from '@tanstack/react-query';
import { useAction } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import { formatDay, formatNumber } from '../../i18n/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CloseIcon, DownloadIcon } from '../../ui/icons.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useLock } from '../../ui/use-lock.ts';
import styles from './report-item.module.css';
import { save } from './save-file.ts';
import type { ReportTexts } from './texts-ru.ts';
import { useReportText } from './use-report-text.ts';
import { refreshReports } from './use-reports.ts';

/** Moments in lists across buses are Moscow times. */
const LIST_ZONE = 'Europe/Moscow';

/** A report: what it is about, how far it is, and its file. */
export function ReportItem({ report }: { report: Report }) {
  const text = useReportText();
  const { parameters, status } = report;
  const { kind, from, to } = parameters;
  // The user wanted it so: nothing went wrong.
  const isCancelled = report.fail_reason === 'cancelled';
  const days = from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
  return (
    <li className={styles.item} data-status={status}>
      <div className={styles.what}>
        <strong>{text.kinds[kind]}</strong>
        <span>{days}</span>
        <StatusBadge status={isCancelled ? undefined : status}>
          {isCancelled ? text.cancelled : text.statuses[status]}
        </StatusBadge>
      </div>
      <p className={styles.note}>
        {subjectsOf(report, text)} · {report.format.toUpperCase()} ·{' '}
        {text.requestedAt(listTime(report.created_at, 'DD.MM.YYYY HH:mm'))}
      </p>
      <div className={styles.state}>
        {status === 'PROCESS' && <Progress report={report} />}
        {status === 'FAILED' && !isCancelled && (
          <p className={styles.failure}>{text.failures[report.fail_reason ?? 'failed']}</p>
        )}
        {report.download !== null && <FileOf report={report} />}
      </div>
    </li>
  );
}

function Progress({ report: { id, progress } }: { report: Report }) {
  const text = useReportText();
  const locked = useLock();
  const cancel = useAction(cancelReport, { onSettled: refreshReports });
  return (
    <ProgressBar label={text.progress} percent={progress}>
      <IconButton
        label={text.cancel}
        locked={locked}
        disabled={cancel.isPending}
        onClick={() => cancel.mutate({ params: { reportId: id } })}
      >
        <CloseIcon />
      </IconButton>
    </ProgressBar>
  );
}

function FileOf({ report }: { report: Report }) {
  const text = useReportText();
  const download = useMutation({
    networkMode: 'always',
    // The signed address in a list that has been open for long is no longer valid.
    mutationFn: () =>
      call(findReport, {
        params: { reportId: report.id },
        isQuiet: ({ status }) => status === 404,
      }),
    onSuccess: (now) => {
      if (now.download === null) throw new ApiError(404, 'not_found', text.gone);
      save(now.download, now.file_name);
    },
    onError: (error) => {
      const isGone = error instanceof ApiError && error.status === 404;
      if (isGone) showToast({ kind: 'error', text: text.gone });
      void refreshReports();
    },
  });
  const facts = [
    report.rows !== null && text.rows(report.rows),
    report.size_bytes !== null && sizeText(report.size_bytes, text),
    report.expires_at !== null && text.keptUntil(listTime(report.expires_at, 'DD.MM.YYYY HH:mm')),
  ].filter((fact) => fact !== false);
  return (
    <div className={styles.file}>
      <Button isBusy={download.isPending} onClick={() => download.mutate()}>
        <DownloadIcon />
        {text.download}
      </Button>
      <span className={styles.note}>{facts.join(' · ')}</span>
    </div>
  );
}

function subjectsOf({ parameters, subjects }: Report, text: ReportTexts): string {
  const { total, names } = subjects;
  if (total === null) return parameters.kind === 'advanced-report' ? text.allRoutes : text.allBuses;
  const named = names.join(', ');
  return total > names.length ? `${named} ${text.more(total - names.length)}`.trim() : named;
}

function sizeText(bytes: number, text: ReportTexts): string {
  const isSmall = bytes < 1_000_000;
  const value = isSmall ? Math.max(1, Math.round(bytes / 1000)) : bytes / 1_000_000;
  return `${formatNumber(value)} ${isSmall ? text.kilobytes : text.megabytes}`;
}

const listTime = (moment: string, pattern: string) =>
  formatMoment(Date.parse(moment), LIST_ZONE, pattern);
