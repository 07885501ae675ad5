import { formatMoment } from '@ridewatch/contract/day';
import type { LapSummary } from '@ridewatch/contract/laps';
import { kopecksOf, showAmount } from '@ridewatch/contract/money';
import { formatNumber } from '../i18n/format.ts';
import styles from './day-sheet.module.css';
import { useSheetText } from './use-sheet-text.ts';

/** Laps in a column; the page has two. */
const COLUMN = 20;

/** The laps of a day as the server answers them. */
export interface DayLaps {
  readonly items: readonly LapSummary[];
  readonly pending: boolean;
}

interface SheetLapsProps {
  /** Undefined if they could not be loaded. */
  laps: DayLaps | undefined;
  zone: string;
}

/** The laps in two columns, as many as the page has room for; the further ones as a sum. */
export function SheetLaps({ laps, zone }: SheetLapsProps) {
  const text = useSheetText();
  const items = laps?.items ?? [];
  const shown = items.slice(0, 2 * COLUMN);
  const further = items.slice(2 * COLUMN);
  const half = Math.min(COLUMN, Math.max(Math.ceil(shown.length / 2), 6));
  const columns = [shown.slice(0, half), shown.slice(half)].filter((one) => one.length > 0);
  const none = laps?.pending ? text.pendingLaps : text.noLaps;
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
                <tr className={styles.sum}>
                  <th scope="row" colSpan={3}>
                    {text.sum}
                  </th>
                  <Figures laps={items} hasRevenue={hasRevenue} />
                </tr>
              )}
            </tbody>
          </table>
        ))}
      </div>
      {items.some(({ incomplete }) => incomplete !== null) && (
        <p className={styles.note}>{text.incompleteNote}</p>
      )}
    </section>
  );
}

/** The figures of some laps together. */
function Figures({ laps, hasRevenue }: { laps: readonly LapSummary[]; hasRevenue: boolean }) {
  const sum = (of: (lap: LapSummary) => number) => laps.reduce((all, lap) => all + of(lap), 0);
  const most = Math.max(0, ...laps.map(({ max_passengers }) => max_passengers));
  const priced = laps.filter(({ revenue }) => revenue !== null);
  return (
    <>
      <td>{formatNumber(sum(({ entered }) => entered))}</td>
      <td>{formatNumber(sum(({ exited }) => exited))}</td>
      <td>{formatNumber(Math.round(most))}</td>
      {hasRevenue && (
        <td>
          {priced.length === 0 ? '—' : showAmount(sum(({ revenue }) => kopecksOf(revenue ?? '0')))}
        </td>
      )}
    </>
  );
}

const clock = (moment: string, zone: string) => formatMoment(Date.parse(moment), zone, 'HH:mm');
