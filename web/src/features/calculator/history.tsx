import {
  type CalculationChange,
  type CountChange,
  listCalculationChanges,
} from '@ridewatch/contract/calculation-history';
import { dayOf, formatMoment } from '@ridewatch/contract/day';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { queryClient, useEndpoint } from '../../calls/api.ts';
import { formatDay } from '../../i18n/format.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './history.module.css';
import { moneyText, percentText } from './money-text.ts';
import { boundText } from './shift-text.ts';
import type { CalculatorTexts } from './texts-ru.ts';
import { useCalculatorText } from './use-calculator-text.ts';

/** Changes that are shown at once. */
const PAGE = 100;

interface HistoryProps {
  calculation: Calculation;
  zone: string;
  /** Another text when somebody has changed manual counts of the day; undefined until it is known. */
  counted: string | undefined;
  onFragment: (fragmentId: number) => void;
  /** Whether a heading stands above it. */
  hasHeading?: boolean;
}

/** Shows who changed which value or manual counts, when, and from what to what; and how the record came to be. */
export function History(props: HistoryProps) {
  const { calculation, zone, counted, onFragment, hasHeading = false } = props;
  const text = useCalculatorText();
  const [page, setPage] = useState(0);
  const { workplace_id: workplaceId, date, updated_at: changedAt } = calculation;
  const onDay = { day: date, zone };
  const answer = useEndpoint(
    listCalculationChanges,
    { query: { workplaceId, date, page: String(page), perPage: String(PAGE) } },
    { isQuiet: () => true, placeholderData: (before) => before },
  );
  const newest = counted === undefined ? undefined : `${changedAt} ${counted}`;
  const read = useRef(newest);
  useEffect(() => {
    if (read.current !== undefined && newest !== undefined && newest !== read.current) {
      void queryClient.invalidateQueries({ queryKey: [listCalculationChanges.path] });
    }
    read.current = newest ?? read.current;
  }, [newest]);
  const { data } = answer;
  const created = data?.created;
  const isLast = data !== undefined && (data.number + 1) * PAGE >= data.total;
  const leadTo = (next: number, name: string) => (
    <li>
      <Button kind="quiet" isBusy={answer.isFetching} onClick={() => setPage(next)}>
        {name}
      </Button>
    </li>
  );
  return (
    <section className={styles.history} aria-label={text.history}>
      {hasHeading && <h2>{text.history}</h2>}
      <FailedRead answer={answer} what={text.history} />
      <ol aria-busy={answer.isPending || undefined}>
        {page > 0 && leadTo(page - 1, text.later)}
        {data?.items.map((change) => (
          <Row key={`${change.kind} ${change.id}`} at={change.at} by={change.by} {...onDay}>
            {change.kind === 'value' ? (
              <ValueChange change={change} {...onDay} />
            ) : (
              <ManualCounts change={change} zone={zone} onFragment={onFragment} />
            )}
          </Row>
        ))}
        {data && !isLast && leadTo(data.number + 1, text.earlier)}
        {created && isLast && (
          <Row at={created.at} by={text.system} {...onDay}>
            <b>
              {created.copied_from === null
                ? text.created
                : text.copiedFrom(formatDay(created.copied_from))}
            </b>
            <p>
              {moneyText(created.fare)} · {percentText(created.salary_percent)}&nbsp;% ·{' '}
              {text.events[created.calculation_event].toLowerCase()}
            </p>
          </Row>
        )}
        {data && data.total === 0 && !created && <li data-quiet>{text.noHistory}</li>}
      </ol>
      {hasHeading && <footer>{text.seenAtOnce}</footer>}
    </section>
  );
}

interface OnDay {
  day: string;
  zone: string;
}

interface RowProps extends OnDay {
  /** Null: not known. */
  at: string | null;
  by: string;
  /** A title, and a paragraph. */
  children: ReactNode;
}

function Row({ at, by, day, zone, children }: RowProps) {
  return (
    <li>
      <time dateTime={at ?? undefined}>{at !== null && changeTime(at, day, zone)}</time>
      <div>
        {children}
        <small>{by}</small>
      </div>
    </li>
  );
}

function ValueChange({ change, day, zone }: OnDay & { change: CalculationChange }) {
  const text = useCalculatorText();
  const { field, before, after, source } = change;
  const show = (value: string | null) => valueText(field, value, { day, zone }, text);
  return (
    <>
      <b>{text.fields[field]}</b>
      <p>
        <s>{show(before)}</s> → {show(after)}
        {source === 'group' && <em> · {text.ofGroup}</em>}
      </p>
    </>
  );
}

interface ManualCountsProps extends Pick<HistoryProps, 'zone' | 'onFragment'> {
  change: CountChange;
}

function ManualCounts({ change, zone, onFragment }: ManualCountsProps) {
  const text = useCalculatorText();
  const { segment_id, time, door, sides } = change;
  const clock = formatMoment(Date.parse(time), zone, 'HH:mm:ss');
  return (
    <>
      <b>
        {text.correction}{' '}
        <button
          type="button"
          aria-label={text.openFragment(clock)}
          onClick={() => onFragment(segment_id)}
        >
          {clock}
        </button>
        {door !== null && ` · ${text.door(door)}`}
      </b>
      {sides.map(({ side, before, after }) => (
        <p key={side}>
          <s>{before ?? text.byCounter}</s> → {after ?? text.byCounter} {text.sides[side]}
        </p>
      ))}
    </>
  );
}

/** The time of a change on the day itself, else also its date. */
function changeTime(moment: string, day: string, zone: string): string {
  const ms = Date.parse(moment);
  return formatMoment(ms, zone, dayOf(ms, zone) === day ? 'HH:mm' : 'DD.MM HH:mm');
}

function valueText(
  field: CalculationChange['field'],
  value: string | null,
  { day, zone }: { readonly day: string; readonly zone: string },
  text: CalculatorTexts,
): string {
  if (value === null) return text.none;
  switch (field) {
    case 'fare':
    case 'cashless':
    case 'handed_in':
      return moneyText(value);
    case 'salary_percent':
      return `${percentText(value)}\u00a0%`;
    case 'calculation_event':
      return text.events[value === 'EXITED' ? 'EXITED' : 'ENTERED'].toLowerCase();
    case 'shift_start':
    case 'shift_end':
      return boundText(value, day, zone);
    case 'driver':
      return value;
  }
}
