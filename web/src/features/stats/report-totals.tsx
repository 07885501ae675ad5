import { formatDay, formatNumber } from '../../i18n/format.ts';
import {
  changeText,
  completenessText,
  figureWithUnit,
  meanWithUnit,
  shortMeanText,
} from './figures.ts';
import { COUNT_KEYS, type CountKey } from './filters.ts';
import styles from './report.module.css';
import { type Chart, changeOf, overSumOf, type Traffic } from './series.ts';
import { tickTitle } from './ticks.ts';
import { useStatsText } from './use-stats-text.ts';

interface ReportTotalsProps {
  totals: Traffic['totals'];
  /** Of the compared range. */
  before: Traffic['totals'] | undefined;
  /** A share; undefined if nothing was due. */
  completeness: number | undefined;
  chart: Chart;
  countKey: CountKey;
}

/** The strip of totals: people, revenue, mean and best day, completeness. */
export function ReportTotals(props: ReportTotalsProps) {
  const { totals, before, completeness, chart, countKey } = props;
  const text = useStatsText();
  const best = bestTick(chart);
  const bestSpan = best && chart.ticks[best.at];
  return (
    <dl className={styles.totals}>
      {COUNT_KEYS.map((key) => {
        const change = changeOf(before && Number(before[key]), Number(totals[key]));
        return (
          <div key={key} data-chosen={key === countKey || undefined}>
            <dt>{text.keys[key]}</dt>
            <dd data-total={key}>
              {figureWithUnit(key, Number(totals[key]))}{' '}
              {change !== undefined && (
                <small data-partial={chart.isBeforePartial || undefined}>
                  {changeText(change)}
                </small>
              )}{' '}
              {key === 'fare' && totals.no_price > 0 && (
                <small>{text.noPrice(formatNumber(totals.no_price))}</small>
              )}
            </dd>
          </div>
        );
      })}
      <div>
        <dt>{text.mean}</dt>
        <dd>
          {meanWithUnit(countKey, overSumOf(chart.series), chart.knownDays)}{' '}
          <KnownDays chart={chart} />
        </dd>
      </div>
      {best && bestSpan && (
        <div>
          <dt>{text.best[chart.tick]}</dt>
          <dd>
            {figureWithUnit(countKey, best.value)}{' '}
            <small>
              {chart.tick === 'day'
                ? tickTitle(bestSpan, 'day', text).slice(0, -5)
                : tickTitle(bestSpan, chart.tick, text)}
            </small>
          </dd>
        </div>
      )}
      <div>
        <dt>{text.completeness}</dt>
        <dd>
          {completenessText(completeness)}{' '}
          {totals.first_day !== null &&
            chart.ticks[0] &&
            totals.first_day > chart.ticks[0].dateFrom && (
              <small>{text.nothingBefore(formatDay(totals.first_day))}</small>
            )}{' '}
          {totals.silent_hours > 0 && (
            <small className={styles.silence}>
              {text.silent(formatNumber(totals.silent_hours))}
            </small>
          )}
        </dd>
      </div>
    </dl>
  );
}

/** The total of the count key on a phone, with the change. */
export function PhoneTotal({ totals, before, chart, countKey }: PhoneTotalProps) {
  const text = useStatsText();
  const change = changeOf(before?.value, Number(totals[countKey]));
  const isCompared = before && change !== undefined;
  return (
    <div className={styles.phoneTotal}>
      <span>{text.keys[countKey]}</span>
      <strong>{figureWithUnit(countKey, Number(totals[countKey]))}</strong>
      <p>
        <span>
          {text.mean}: {shortMeanText(countKey, overSumOf(chart.series), chart.knownDays)}
        </span>
        <KnownDays chart={chart} />
      </p>
      {isCompared && (
        <p>
          <b data-partial={chart.isBeforePartial || undefined}>{changeText(change)}</b>{' '}
          <span>{text.comparedTo(shortSpan(before))}</span>
        </p>
      )}
    </div>
  );
}

/** Of how many days a mean is, where some have no data. */
function KnownDays({ chart: { days, knownDays } }: { chart: Chart }) {
  const text = useStatsText();
  return knownDays !== days && <small>{text.knownDays(knownDays)}</small>;
}

interface PhoneTotalProps {
  totals: Traffic['totals'];
  before: { readonly value: number; readonly from: string; readonly to: string } | undefined;
  chart: Chart;
  countKey: CountKey;
}

const dayMonth = (day: string): string => formatDay(day).slice(0, 5);
const shortSpan = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  from === to ? dayMonth(from) : `${dayMonth(from)}–${dayMonth(to)}`;

// A day that runs is no best one yet.
function bestTick({ overSums: sums }: Chart): { at: number; value: number } | undefined {
  let best: { at: number; value: number } | undefined;
  for (const [at, value] of sums.entries()) {
    if (value !== undefined && value > (best?.value ?? 0)) best = { at, value };
  }
  return sums.length > 1 ? best : undefined;
}
