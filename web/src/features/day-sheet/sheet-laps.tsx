import { formatMoment } from '@ridewatch/contract/day';
import type { DayFragments } from '@ridewatch/contract/fragments';
import type { LapSummary } from '@ridewatch/contract/laps';
import { kopecksOf, showAmount } from '@ridewatch/contract/money';
import { formatNumber } from '../../i18n/format.ts';
import styles from './day-sheet.module.css';
import { useSheetText } from './use-sheet-text.ts';

/** Laps in a column; the page has two. */
const COLUMN = 19;

/** The laps of a day as the server answers them. */
export interface DayLaps {
  readonly items: readonly LapSummary[];
  readonly pending: boolean;
}

/** The laps of the sheet: those that start within the shift. A lap counts whole if it does, as in the calculation. */
export function lapsInShift(laps: DayLaps, { calculation }: DayFragments): readonly LapSummary[] {
  const { shift_start = null, shift_end = null } = calculation ?? {};
  const fromMs = shift_start === null ? Number.NEGATIVE_INFINITY : Date.parse(shift_start);
  const untilMs = shift_end === null ? Number.POSITIVE_INFINITY : Date.parse(shift_end);
  return laps.items.filter(({ start }) => {
    const startMs = Date.parse(start);
    return fromMs <= startMs && startMs < untilMs;
  });
}

interface SheetLapsProps {
  /** Undefined if they could not be loaded. */
  laps: DayLaps | undefined;
  day: DayFragments;
}

/**
 * The laps in two columns, as many as the page has room for; the further ones as a sum. People in no lap of the shift
 * have a row, so that the sheet adds up to the totals of the day.
 */
export function SheetLaps({ laps, day }: SheetLapsProps) {
  const text = useSheetText();
  const zone = day.timezone;
  const items = laps ? lapsInShift(laps, day) : [];
  const left = (laps?.items.length ?? 0) - items.length;
  const total = totalOf(day, items);
  const shown = items.slice(0, 2 * COLUMN);
  const further = items.slice(2 * COLUMN);
  const half = Math.min(COLUMN, Math.max(Math.ceil(shown.length / 2), 6));
  const columns = [shown.slice(0, half), shown.slice(half)].filter((one) => one.length > 0);
  const noneFound = left > 0 ? text.noLapsInShift : text.noLaps;
  const none = laps?.pending ? text.pendingLaps : noneFound;
  const hasRevenue = items.some(({ revenue }) => revenue !== null);
  return (
    <section className={styles.part}>
      <h2>{text.lapsTitle}</h2>
      {items.length === 0 && <p>{laps ? none : text.lapsFailed}</p>}
      <div className={styles.columns}>
        {columns.map((column, index) => (
          <table key={column[0]?.lap_id} className={styles.laps}>
            <thead>
              <tr>
                <th scope="col">{text.lap}</th>
                <th scope="col">{text.start}</th>
                <th scope="col">{text.end}</th>
                <th scope="col">{text.entered}</th>
                <th scope="col">{text.exited}</th>
                <th scope="col">{text.most}</th>
                {hasRevenue && <th scope="col">{text.lapRevenue}</th>}
              </tr>
            </thead>
            <tbody>
              {column.map((lap) => (
                <tr key={lap.lap_id}>
                  <td>
                    {lap.number}
                    {lap.incomplete !== null && <abbr title={text.incomplete}>*</abbr>}
                  </td>
                  <td>{clock(lap.start, zone)}</td>
                  <td>{lap.open ? '—' : clock(lap.end, zone)}</td>
                  <Figures laps={[lap]} hasRevenue={hasRevenue} />
                </tr>
              ))}
              {index === columns.length - 1 && further.length > 0 && (
                <tr>
                  <td colSpan={3}>{text.furtherLaps(further.length)}</td>
                  <Figures laps={further} hasRevenue={hasRevenue} />
                </tr>
              )}
              {index === columns.length - 1 && (
                <>
                  <OutsideRow laps={items} {...{ total, hasRevenue }} />
                  <tr className={styles.sum}>
                    <th scope="row" colSpan={3}>
                      {text.sum}
                    </th>
                    <td>{formatNumber(total.entered)}</td>
                    <td>{formatNumber(total.exited)}</td>
                    <td>{formatNumber(mostOf(items))}</td>
                    {hasRevenue && <td>{showAmount(total.kopecks)}</td>}
                  </tr>
                </>
              )}
            </tbody>
          </table>
        ))}
      </div>
      {items.some(({ incomplete }) => incomplete !== null) && (
        <p className={styles.note}>{text.incompleteNote}</p>
      )}
      {left > 0 && <p className={styles.note}>{text.lapsOutside(left)}</p>}
    </section>
  );
}

interface Sum {
  readonly entered: number;
  readonly exited: number;
  readonly kopecks: number;
}

function sumOfLaps(laps: readonly LapSummary[]): Sum {
  const sum = (of: (lap: LapSummary) => number) => laps.reduce((all, lap) => all + of(lap), 0);
  return {
    entered: sum(({ entered }) => entered),
    exited: sum(({ exited }) => exited),
    kopecks: sum(({ revenue }) => kopecksOf(revenue ?? '0')),
  };
}

// Of the day; only takings by prices are those of laps.
function totalOf(day: DayFragments, laps: readonly LapSummary[]): Sum {
  const isByLaps = day.calculation?.type_calculation === 'CALCULATION';
  return {
    entered: day.totalEnteredManual,
    exited: day.totalExitedManual,
    kopecks: isByLaps ? kopecksOf(day.calculation?.total ?? '0') : sumOfLaps(laps).kopecks,
  };
}

const mostOf = (laps: readonly LapSummary[]): number =>
  Math.round(Math.max(0, ...laps.map(({ max_passengers }) => max_passengers)));

interface OutsideRowProps {
  laps: readonly LapSummary[];
  total: Sum;
  hasRevenue: boolean;
}

/** The totals of the day minus those of its laps. A lap counts whole, so they are below zero when one ends after the shift. */
function OutsideRow({ laps, total, hasRevenue }: OutsideRowProps) {
  const text = useSheetText();
  const inside = sumOfLaps(laps);
  const entered = total.entered - inside.entered;
  const exited = total.exited - inside.exited;
  const kopecks = total.kopecks - inside.kopecks;
  if (entered === 0 && exited === 0 && kopecks === 0) return null;
  return (
    <tr>
      <td colSpan={3}>{text.outsideOfLaps}</td>
      <td>{signed(entered)}</td>
      <td>{signed(exited)}</td>
      <td />
      {hasRevenue && <td>{kopecks === 0 ? '—' : showAmount(kopecks)}</td>}
    </tr>
  );
}

const signed = (people: number): string => formatNumber(people).replace('-', '−');

/** The figures of some laps together. */
function Figures({ laps, hasRevenue }: { laps: readonly LapSummary[]; hasRevenue: boolean }) {
  const { entered, exited, kopecks } = sumOfLaps(laps);
  const isPriced = laps.some(({ revenue }) => revenue !== null);
  return (
    <>
      <td>{formatNumber(entered)}</td>
      <td>{formatNumber(exited)}</td>
      <td>{formatNumber(mostOf(laps))}</td>
      {hasRevenue && <td>{isPriced ? showAmount(kopecks) : '—'}</td>}
    </>
  );
}

const clock = (moment: string, zone: string) => formatMoment(Date.parse(moment), zone, 'HH:mm');
