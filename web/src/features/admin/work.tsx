import {
  type AdminJob,
  type FailedBusDay,
  findJob,
  listFailedDays,
  listJobs,
  retryFailedDay,
  retryJob,
} from '@ridewatch/contract/admin-work';
import { jobClassWords } from '@ridewatch/contract/job-class-words';
import { JobClass } from '@ridewatch/contract/news';
import { MAX_PAGE_SIZE } from '@ridewatch/contract/paging';
import { wordIn } from '@ridewatch/contract/words';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../../calls/api.ts';
import { ApiError } from '../../core/api-error.ts';
import { formatDay, formatNumber, spanOf } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import styles from './drawer.module.css';
import { isGone } from './is-gone.ts';
import { jobAdvice, jobErrorText } from './job-error.ts';
import { momentText } from './moments.ts';
import { useRowAction } from './row-calls.ts';
import {
  clientFilter,
  findBy,
  type ListQuery,
  listBy,
  optionsOf,
  type Page,
  type Section,
} from './section.ts';
import type { AdminTexts } from './texts-ru.ts';
import { useAdminText } from './use-admin-text.ts';
import { readAgain, rowKey } from './use-rows.ts';
import workStyles from './work.module.css';

const JOB_STATES = ['failed', 'retrying', 'waiting', 'running'] as const;

const taskOf = ({ task }: AdminJob, { jobs: said }: AdminTexts): string => said.tasks[task] ?? task;
const className = (name: JobClass): string => wordIn(currentLanguage(), jobClassWords[name]);
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

const durationText = (seconds: number, { jobs: said }: AdminTexts): string =>
  said.span(spanOf(seconds * 1000));
function dueText({ due_s: due, state }: AdminJob, text: AdminTexts): string {
  const said = text.jobs;
  if (state === 'failed') return said.notAgain;
  if (state === 'running') return said.dueNow;
  if (due < 0) return said.dueIn(durationText(-due, text));
  return due === 0 ? said.dueNow : said.dueSince(durationText(due, text));
}

/** The state of a job, and when one that has still to run does. */
function stateText(row: AdminJob, text: AdminTexts): string {
  const { states } = text.jobs;
  const isAhead = row.state === 'waiting' || row.state === 'retrying';
  if (!isAhead) return states[row.state];
  const when = dueText(row, text);
  // The time of an overdue one says that it waits.
  return row.state === 'waiting' && row.due_s > 0 ? when : `${states[row.state]}, ${when}`;
}

const errorOf = ({ last_error: error }: AdminJob, text: AdminTexts): string | undefined =>
  error === null ? undefined : jobErrorText(error, text);

/** Background jobs. */
export const jobs: Section<AdminJob> = {
  name: 'jobs',
  list: listBy(listJobs),
  none: ({ jobs: { none } }) => none,
  gone: ({ jobs: { gone } }) => gone,
  find: findBy(findJob, 'jobId'),
  properties: ({ text }) => {
    const said = text.jobs;
    return [
      {
        ...{ key: 'task', label: said.task, sort: 'task', width: 'minmax(160px, 1.2fr)' },
        ...{ value: (row) => taskOf(row, text), inDrawer: 'none' },
      },
      {
        ...{ key: 'key', label: text.audit.object, width: 'minmax(190px, 1.8fr)' },
        value: (row) => objectOf(row, text),
      },
      { key: 'class', label: said.class, width: 'minmax(150px, 1fr)', value: classOf },
      {
        ...{ key: 'state', label: text.state, sort: 'state', width: '110px' },
        value: ({ state }) => <span data-level={state}>{said.states[state]}</span>,
        inDrawer: ({ state }) => said.states[state],
      },
      {
        ...{ key: 'attempts', label: said.attempts, sort: 'attempts', width: '85px' },
        value: ({ attempts, max_attempts: most }) => `${attempts} / ${most}`,
      },
      {
        ...{ key: 'run_at', label: said.runAt, sort: 'run_at', width: '120px' },
        value: (row) => dueText(row, text),
      },
      { key: 'age', label: said.age, value: ({ age_s: age }) => durationText(age, text) },
      {
        ...{ key: 'error', label: said.error, width: 'minmax(90px, 1.2fr)' },
        value: (row) => errorOf(row, text) ?? null,
        inDrawer: (row) => errorOf(row, text),
      },
    ];
  },
  filters: ({ text }) => [
    {
      ...{ key: 'kind', query: 'class', label: text.jobs.class },
      options: JobClass.options.map((value) => ({ value, label: className(value) })),
    },
    {
      ...{ key: 'state', query: 'state', label: text.state },
      options: optionsOf(JOB_STATES, text.jobs.states),
    },
  ],
  titleOf: (row, { text }) => taskOf(row, text),
  noteOf: (row, { text }) =>
    [stateText(row, text), objectOf(row, text), errorOf(row, text)]
      .filter((part) => part !== undefined && part !== '—')
      .join(' · '),
  Parts: ({ row }) => <JobParts key={row.id} row={row} />,
  Top: JobClasses,
};

/** Interval at which a job that is under way is read again, ms. */
const READ_EVERY_MS = 3000;

// It ends by itself, soon: the drawer shows the same answer.
function useEndOf({ id, state, due_s: due }: AdminJob): void {
  useQuery({
    queryKey: rowKey('jobs', id),
    queryFn: ({ signal }) => jobs.find(id, signal),
    enabled: state === 'running' || (state === 'waiting' && due >= 0),
    refetchInterval: ({ state: read }) => (isGone(read.error) ? false : READ_EVERY_MS),
    retry: false,
  });
}

function JobParts({ row }: { row: AdminJob }) {
  const text = useAdminText();
  useEndOf(row);
  const action = useRowAction(retryJob, { onSettled: () => readAgain() });
  return (
    <>
      {row.state === 'waiting' && <p>{text.jobs.waits}</p>}
      {row.last_error !== null && (
        <>
          {row.state === 'failed' && <p>{jobAdvice(row.last_error, text)}</p>}
          {row.state === 'retrying' && <p>{text.jobs.repeats}</p>}
          <details>
            <summary>{text.jobs.recorded}</summary>
            <pre className={styles.json}>{row.last_error}</pre>
          </details>
        </>
      )}
      {row.state !== 'running' && (
        <div>
          <Button
            kind="primary"
            isBusy={action.isPending}
            onClick={() => action.mutate({ params: { jobId: row.id } })}
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
              oldestS >= 60 ? durationText(oldestS, text) : undefined,
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
    if (row === undefined) throw new ApiError(404, 'not_found', 'There is no such row.');
    return row;
  };
}

const listDays = listBy(listFailedDays);

/** Days that could not be worked out. */
export const days: Section<FailedBusDay> = {
  name: 'days',
  list: listDays,
  none: ({ days: { none } }) => none,
  gone: ({ days: { gone } }) => gone,
  find: findIn(listDays),
  properties: ({ text }) => {
    const said = text.days;
    const inTable = { inDrawer: 'none' } as const;
    return [
      {
        ...{ key: 'bus', label: text.fields.bus_id, sort: 'bus', width: 'minmax(140px, 1fr)' },
        ...{ value: ({ bus }) => bus.name, ...inTable },
      },
      {
        ...{ key: 'date', label: said.date, sort: 'date', width: '130px' },
        ...{ value: ({ date }) => formatDay(date), ...inTable },
      },
      {
        ...{ key: 'reason', label: said.reason, width: 'minmax(180px, 2fr)' },
        value: ({ reason }) => said.reasons[reason],
      },
      {
        ...{ key: 'failures', label: said.failures, sort: 'failures', width: '110px' },
        ...{ isNumber: true, value: ({ failures }) => formatNumber(failures) },
      },
      { key: 'last', label: said.lastTry, value: ({ taken_at }) => momentText(taken_at) },
      {
        ...{ key: 'next', label: said.nextTry },
        value: ({ retry_at }) => (retry_at === null ? said.withData : momentText(retry_at)),
      },
      {
        ...{ key: 'waits', label: text.state, width: '150px' },
        value: ({ waits }) => (waits ? said.waits : said.stopped),
      },
    ];
  },
  filters: (context) => [clientFilter(context)],
  titleOf: ({ bus, date }) => `${bus.name} · ${formatDay(date)}`,
  noteOf: ({ reason }, { text }) => text.days.reasons[reason],
  Parts: ({ row }) => <DayParts key={row.id} row={row} />,
};

function DayParts({ row }: { row: FailedBusDay }) {
  const text = useAdminText();
  const action = useRowAction(retryFailedDay, { onSettled: () => readAgain() });
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
        search={{ date: row.date }}
        className={workStyles.link}
      >
        {text.days.open}
      </Link>
    </div>
  );
}
