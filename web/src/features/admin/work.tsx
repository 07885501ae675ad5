import {
  type AdminJob,
  type FailedBusDay,
  findJob,
  listFailedDays,
  listJobs,
  retryFailedDay,
  retryJob,
} from '@ridewatch/contract/admin-work';
import { MAX_PAGE_SIZE } from '@ridewatch/contract/paging';
import { Link } from '@tanstack/react-router';
import { useAction, useEndpoint } from '../../calls/api.ts';
import { formatDay, formatNumber, spanOf } from '../../i18n/format.ts';
import { jobClasses } from '../../i18n/job-classes.ts';
import { currentLanguage } from '../../i18n/language.ts';

import { Button } from '../../ui/button.tsx';
import styles from './drawer.module.css';
import { jobErrorText } from './job-error.ts';
import { momentText } from './moments.ts';
import { findBy, type ListQuery, listBy, type Page, type Section } from './section.ts';
import type { AdminTexts } from './texts-ru.ts';
import { useAdminText } from './use-admin-text.ts';
import { readAgain } from './use-rows.ts';
import workStyles from './work.module.css';

const JOB_CLASSES = [
  'laps',
  'slow',
  'past',
  'video',
  'merges',
  'reports',
  'recalculation',
  'sweeps',
  'attention',
  'schedule',
] as const;
const JOB_STATES = ['failed', 'retrying', 'waiting', 'running'] as const;

const taskOf = ({ task }: AdminJob, { jobs: said }: AdminTexts): string => said.tasks[task] ?? task;
const className = (name: (typeof JOB_CLASSES)[number]): string =>
  jobClasses[currentLanguage()][name];
const classOf = ({ class: name }: AdminJob): string => (name === null ? '—' : className(name));

function objectOf({ object }: AdminJob, { jobs: said }: AdminTexts): string {
  if (object === null) return '—';
  const { bus, camera, date, at, login } = object;
  return [
    bus?.name,
    camera,
    date && formatDay(date),
    at && momentText(at),
    login && said.reportOf(login),
  ]
    .filter(Boolean)
    .join(' · ');
}

const spanText = (seconds: number, { jobs: said }: AdminTexts): string =>
  said.span(spanOf(seconds * 1000));
function dueText({ due_s: due, state }: AdminJob, text: AdminTexts): string {
  const said = text.jobs;
  if (due < 0) return said.dueIn(spanText(-due, text));
  return due === 0 || state === 'running' ? said.dueNow : said.dueSince(spanText(due, text));
}

/** Background jobs. */
export const jobs: Section<AdminJob> = {
  name: 'jobs',
  list: listBy(listJobs),
  none: ({ jobs: { none } }) => none,
  find: findBy(findJob, 'jobId'),
  columns: ({ text }) => [
    {
      ...{ key: 'task', label: text.jobs.task, sort: 'task', width: 'minmax(160px, 1.2fr)' },
      cell: (row) => taskOf(row, text),
    },
    {
      ...{ key: 'key', label: text.audit.object, width: 'minmax(190px, 1.8fr)' },
      cell: (row) => objectOf(row, text),
    },
    {
      ...{ key: 'class', label: text.jobs.class, width: 'minmax(150px, 1fr)' },
      cell: classOf,
    },
    {
      ...{ key: 'state', label: text.state, sort: 'state', width: '110px' },
      cell: ({ state }) => <span data-level={state}>{text.jobs.states[state]}</span>,
    },
    {
      ...{ key: 'attempts', label: text.jobs.attempts, sort: 'attempts', width: '85px' },
      cell: ({ attempts, max_attempts: most }) => `${attempts} / ${most}`,
    },
    {
      ...{ key: 'run_at', label: text.jobs.runAt, sort: 'run_at', width: '120px' },
      cell: (row) => dueText(row, text),
    },
    {
      ...{ key: 'error', label: text.jobs.error, width: 'minmax(90px, 1.2fr)' },
      cell: ({ last_error }) => (last_error === null ? '—' : jobErrorText(last_error, text)),
    },
  ],
  filters: ({ text }) => [
    {
      ...{ key: 'kind', query: 'class', label: text.jobs.class },
      options: JOB_CLASSES.map((value) => ({ value, label: className(value) })),
    },
    {
      ...{ key: 'state', query: 'state', label: text.state },
      options: JOB_STATES.map((value) => ({ value, label: text.jobs.states[value] })),
    },
  ],
  titleOf: (row, { text }) => taskOf(row, text),
  noteOf: (row, { text }) =>
    [
      objectOf(row, text),
      text.jobs.states[row.state],
      row.last_error !== null && jobErrorText(row.last_error, text),
    ]
      .filter((part) => part !== false && part !== '—')
      .join(' · '),
  facts: (row, { text }) => [
    [text.audit.object, objectOf(row, text)],
    [text.jobs.class, classOf(row)],
    [text.state, text.jobs.states[row.state]],
    [text.jobs.attempts, `${row.attempts} / ${row.max_attempts}`],
    [text.jobs.runAt, dueText(row, text)],
    [text.jobs.age, spanText(row.age_s, text)],
    ...(row.last_error === null
      ? []
      : [[text.jobs.error, jobErrorText(row.last_error, text)] as const]),
  ],
  Parts: ({ row }) => <JobParts key={row.id} row={row} />,
  Top: JobClasses,
};

function JobParts({ row }: { row: AdminJob }) {
  const text = useAdminText();
  const action = useAction(retryJob, { onSettled: () => readAgain() });
  return (
    <>
      {row.last_error !== null && (
        <details>
          <summary>{text.jobs.recorded}</summary>
          <pre className={styles.json}>{row.last_error}</pre>
        </details>
      )}
      {row.state !== 'running' && (
        <div>
          <Button
            kind="primary"
            isBusy={action.isPending}
            onClick={() => action.mutate({ params: { jobId: row.id as never } })}
          >
            {text.jobs.retry}
          </Button>
        </div>
      )}
    </>
  );
}

/** Classes that have work: how much waits, since when, and how much failed. */
function JobClasses() {
  const text = useAdminText();
  const { data } = useEndpoint(listJobs, { query: { perPage: 1 } });
  const shown = data?.classes.filter(
    ({ waiting, running, failed }) => waiting + running + failed > 0,
  );
  if (shown === undefined || shown.length === 0) return null;
  return (
    <ul className={workStyles.figures}>
      {shown.map(({ class: name, waiting, oldest_s: oldestS, running, failed }) => (
        <li key={name} data-failed={failed > 0 || undefined}>
          <b>{className(name)}</b>
          <span>
            {text.jobs.figures(
              formatNumber(waiting),
              formatNumber(running),
              oldestS >= 60 ? spanText(oldestS, text) : undefined,
            )}
          </span>
          {failed > 0 && <strong>{text.jobs.failed(formatNumber(failed))}</strong>}
        </li>
      ))}
    </ul>
  );
}

/** Finds a row in its list: it has no call of its own. */
export function findIn<Row extends { readonly id: number }>(
  list: (query: ListQuery, signal: AbortSignal) => Promise<Page<Row>>,
) {
  return async (id: number, signal: AbortSignal): Promise<Row> => {
    const { items } = await list({ perPage: MAX_PAGE_SIZE }, signal);
    const row = items.find((one) => one.id === id);
    if (row === undefined) throw Object.assign(new Error('There is no such row.'), { status: 404 });
    return row;
  };
}

const listDays = listBy<FailedBusDay>(listFailedDays);

/** Days that could not be worked out. */
export const days: Section<FailedBusDay> = {
  name: 'days',
  list: listDays,
  none: ({ days: { none } }) => none,
  find: findIn(listDays),
  columns: ({ text }) => [
    {
      ...{ key: 'bus', label: text.fields.bus_id, sort: 'bus', width: 'minmax(140px, 1fr)' },
      cell: ({ bus }) => bus.name,
    },
    {
      ...{ key: 'date', label: text.days.date, sort: 'date', width: '130px' },
      cell: ({ date }) => formatDay(date),
    },
    {
      ...{ key: 'reason', label: text.days.reason, width: 'minmax(180px, 2fr)' },
      cell: ({ reason }) => text.days.reasons[reason],
    },
    {
      ...{ key: 'failures', label: text.days.failures, sort: 'failures', width: '110px' },
      ...{ isNumber: true, cell: ({ failures }) => formatNumber(failures) },
    },
    {
      ...{ key: 'waits', label: text.state, width: '150px' },
      cell: ({ waits }) => (waits ? text.days.waits : text.days.stopped),
    },
  ],
  filters: ({ text }) => [
    { key: 'client', query: 'clientId', label: text.fields.client_id, kind: 'client' },
  ],
  titleOf: ({ bus, date }) => `${bus.name} · ${formatDay(date)}`,
  noteOf: ({ reason }, { text }) => text.days.reasons[reason],
  facts: (row, { text }) => [
    [text.days.reason, text.days.reasons[row.reason]],
    [text.days.failures, formatNumber(row.failures)],
    [text.days.lastTry, momentText(row.taken_at)],
    [text.days.nextTry, row.retry_at === null ? text.days.withData : momentText(row.retry_at)],
    [text.state, row.waits ? text.days.waits : text.days.stopped],
  ],
  Parts: ({ row }) => <DayParts key={row.id} row={row} />,
};

function DayParts({ row }: { row: FailedBusDay }) {
  const text = useAdminText();
  const action = useAction(retryFailedDay, { onSettled: () => readAgain() });
  return (
    <div className={workStyles.actions}>
      <Button
        kind="primary"
        isBusy={action.isPending}
        disabled={row.waits}
        onClick={() => action.mutate({ body: { workplaceId: row.bus.id, date: row.date } })}
      >
        {text.days.retry}
      </Button>
      <Link
        to="/bus/$busId/gps"
        params={{ busId: `${row.bus.id}` }}
        search={{ date: row.date } as never}
        className={workStyles.link}
      >
        {text.days.open}
      </Link>
    </div>
  );
}
