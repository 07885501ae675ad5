import { type CalculationChange, listCalculationChanges } from '@ridewatch/contract/calculation';
import { dayOf, formatMoment } from '@ridewatch/contract/day';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import { useEffect, useState } from 'react';
import { queryClient, useEndpoint } from '../api.ts';
import { FailedRead } from '../bus-page/failed-read.tsx';
import { formatDay } from '../i18n/format.ts';
import { Button } from '../ui/button.tsx';
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
  /** Whether a heading stands above it. */
  hasHeading?: boolean;
}

/** Who changed which value, when, and from what to what; and how the record came to be. */
export function History({ calculation, zone, hasHeading = false }: HistoryProps) {
  const text = useCalculatorText();
  const [page, setPage] = useState(0);
  const { workplace_id: workplaceId, date, version } = calculation;
  const answer = useEndpoint(
    listCalculationChanges,
    { query: { workplaceId, date, page: String(page), perPage: String(PAGE) } },
    { isQuiet: () => true, placeholderData: (before) => before },
  );
  // Another version has further changes.
  const [readVersion, setReadVersion] = useState(version);
  useEffect(() => {
    if (version === readVersion) return;
    setReadVersion(version);
    void queryClient.invalidateQueries({ queryKey: [listCalculationChanges.path] });
  }, [version, readVersion]);
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
          <Change key={change.id} change={change} day={date} zone={zone} text={text} />
        ))}
        {data && !isLast && leadTo(data.number + 1, text.earlier)}
        {created && isLast && (
          <li>
            <time>{created.at !== null && momentText(created.at, date, zone)}</time>
            <b>
              {created.copied_from === null
                ? text.created
                : text.copiedFrom(formatDay(created.copied_from))}
            </b>
            <small>{text.system}</small>
            <p>
              {moneyText(created.fare)} · {percentText(created.salary_percent)}&nbsp;% ·{' '}
              {text.events[created.calculation_event].toLowerCase()}
            </p>
          </li>
        )}
        {data && data.total === 0 && !created && <li data-quiet>{text.noHistory}</li>}
      </ol>
      {hasHeading && <footer>{text.seenAtOnce}</footer>}
    </section>
  );
}

interface ChangeProps {
  change: CalculationChange;
  day: string;
  zone: string;
  text: CalculatorTexts;
}

function Change({ change, day, zone, text }: ChangeProps) {
  const { field, before, after, by, source } = change;
  const show = (value: string | null) => valueText(field, value, { day, zone }, text);
  return (
    <li>
      <time dateTime={change.at}>{momentText(change.at, day, zone)}</time>
      <b>{text.fields[field]}</b>
      <small>{by}</small>
      <p>
        <s>{show(before)}</s> → {show(after)}
        {source === 'group' && <em> · {text.ofGroup}</em>}
      </p>
    </li>
  );
}

/** The time of a change on the day itself, else also its date. */
function momentText(moment: string, day: string, zone: string): string {
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
