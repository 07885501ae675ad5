import type { CalculationParts } from '@ridewatch/contract/calculation';
import type { ReactNode } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CorrectionRows } from './correction-rows.tsx';
import { HourRows } from './hour-rows.tsx';
import { LapRows } from './lap-rows.tsx';
import styles from './sources.module.css';
import { UnpricedRows } from './unpriced-rows.tsx';
import type { Calculator } from './use-calculator.ts';
import { useCalculatorText } from './use-calculator-text.ts';
import type { View } from './views.ts';

interface SourcesProps {
  calculator: Calculator;
  view: View;
  onView: (view: View) => void;
  /** Opens a fragment of the day on the count tab. */
  onFragment: (fragmentId: number) => void;
  /** The fragment with which an hour begins. */
  fragmentOf: (hourStart: string) => number | undefined;
  /** Shows the fragments with corrections in the list of the count tab. */
  onList: () => void;
  /** The history, where it is a view. */
  history?: ReactNode;
}

/** Shows what the figures are made of: one table at a time, with links to its evidence. */
export function Sources(props: SourcesProps) {
  const { calculator, view, onView, history } = props;
  const text = useCalculatorText();
  const { calculation, parts } = calculator;
  const { data } = parts;
  const isFixed = calculation.type_calculation === 'FIXED';
  const counted = (name: string, count: number | undefined) =>
    count ? `${name} · ${formatNumber(count)}` : name;
  const options: { value: View; label: string }[] = [
    { value: 'laps', label: text.laps },
    { value: 'hours', label: text.hours },
    { value: 'corrections', label: counted(text.corrections, data?.corrections.length) },
  ];
  if (!isFixed) {
    const label = counted(text.noPrice, calculation.no_price);
    options.push({ value: 'noPrice', label });
  }
  if (history !== undefined) options.push({ value: 'history', label: text.historyShort });
  // An address may name a view that this day or device has not.
  const shown = options.some(({ value }) => value === view) ? view : 'laps';
  return (
    <section className={styles.sources} aria-label={text.sources}>
      <header className={styles.head}>
        <h2>{text.sources}</h2>
        <span className={styles.tag}>{isFixed ? text.fixed : text.prices}</span>
      </header>
      <Choice label={text.sources} value={shown} options={options} onChange={onView} />
      {shown === 'history' ? (
        history
      ) : (
        <>
          <FailedRead answer={parts} what={text.sources} />
          <div className={styles.rows} aria-busy={parts.isPending || undefined}>
            {data ? <Rows {...props} view={shown} parts={data} /> : parts.isPending && <Outline />}
          </div>
          {data && <Foot parts={data} onList={props.onList} />}
        </>
      )}
    </section>
  );
}

interface RowsProps extends SourcesProps {
  parts: CalculationParts;
}

/** The table of a view, or why it is empty. */
function Rows({ calculator, view, parts, fragmentOf, onFragment }: RowsProps) {
  const text = useCalculatorText();
  const { calculation, zone } = calculator;
  if (view === 'hours') {
    if (parts.hours.length === 0) return <Nothing title={text.noHours} />;
    return <HourRows parts={parts} zone={zone} fragmentOf={fragmentOf} onOpen={onFragment} />;
  }
  if (view === 'corrections') {
    if (parts.corrections.length === 0) return <Nothing title={text.noCorrections} />;
    return <CorrectionRows parts={parts} zone={zone} onOpen={onFragment} />;
  }
  if (view === 'noPrice') {
    if (parts.no_price.length > 0) return <UnpricedRows parts={parts} />;
    if (calculation.no_price === 0) return <Nothing title={text.noUnpriced} />;
    return <Nothing title={text.noPrice} note={text.oldUnpriced} />;
  }
  if (parts.laps.length > 0) return <LapRows parts={parts} zone={zone} />;
  if (calculation.type_calculation === 'CALCULATION') {
    return <Nothing title={text.noLaps} note={text.noLapsPrices} />;
  }
  // A day without people has nothing to calculate.
  return <Nothing title={text.noLaps} note={parts.hours.length > 0 ? text.noLapsFixed : ''} />;
}

function Nothing({ title, note }: { title: string; note?: string }) {
  return (
    <div className={styles.nothing}>
      <h3>{title}</h3>
      {note && <p>{note}</p>}
    </div>
  );
}

/** Rows of a table that is being loaded. */
function Outline() {
  return (
    <>
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <i key={row} className={styles.outline} />
      ))}
    </>
  );
}

/** How much of the day was counted by hand, and whether the figures are of all data. */
function Foot({ parts, onList }: { parts: CalculationParts; onList: () => void }) {
  const text = useCalculatorText();
  const { corrections, fragments, pending, failure } = parts;
  return (
    <footer className={styles.foot}>
      <span>
        {text.corrected(corrections.length)},{' '}
        {text.reviewed(formatNumber(fragments.reviewed), formatNumber(fragments.total))}
        {corrections.length > 0 && (
          <button type="button" onClick={onList}>
            {text.showInList}
          </button>
        )}
      </span>
      {failure ? (
        <strong data-kind="failure">{text.failure[failure]}</strong>
      ) : (
        pending && <strong>{text.pending}</strong>
      )}
    </footer>
  );
}
