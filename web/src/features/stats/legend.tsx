import { memo, useCallback, useMemo } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { shareText } from './figures.ts';
import type { Filters } from './filters.ts';
import styles from './legend.module.css';
import { type Series, sumOf } from './series.ts';
import { Swatch } from './swatch.tsx';
import { useStatsText } from './use-stats-text.ts';

/** Height of a row, px (spec section 9). */
const ROW_PX = 21;
/** For fingers. */
const PHONE_ROW_PX = 40;
/** Up to this number of names a phone shows them side by side. */
const MOST_CHIPS = 16;

interface LegendProps {
  series: readonly Series[];
  by: Filters['by'];
  off: ReadonlySet<string>;
  onOff: (off: readonly string[]) => void;
  /** The series whose line is lit. */
  lit: string | undefined;
  /** Called with the series under the pointer or the focus. */
  onLit: (id: string | undefined) => void;
}

/** The names of the series, which switch them off and on. A line and its name light up each other. */
export const Legend = memo(function Legend({ series, by, off, onOff, lit, onLit }: LegendProps) {
  const text = useStatsText();
  const isPhone = useIsPhone();
  const isAllOn = series.every(({ id }) => !off.has(id));
  const toggle = useCallback(
    (id: string) => onOff(off.has(id) ? [...off].filter((one) => one !== id) : [...off, id]),
    [off, onOff],
  );
  const entries: EntriesProps = { series, off, onToggle: toggle, lit, onLit };
  return (
    <section className={styles.legend} aria-label={text.legend}>
      <header className={styles.head}>
        <span>{text.seriesCount[by](series.length)}</span>
        <button
          type="button"
          className={styles.all}
          onClick={() => onOff(isAllOn ? series.map(({ id }) => id) : [])}
        >
          {isAllOn ? text.hideAll : text.showAll}
        </button>
      </header>
      {isPhone && series.length <= MOST_CHIPS ? <Chips {...entries} /> : <Rows {...entries} />}
      <footer className={styles.foot}>
        <span>{text.total}</span> <b>{wholeText(sumOf(series))}</b>
      </footer>
    </section>
  );
});

interface EntriesProps {
  series: readonly Series[];
  off: ReadonlySet<string>;
  onToggle: (id: string) => void;
  lit: string | undefined;
  onLit: (id: string | undefined) => void;
}

function Chips({ series, off, onToggle }: EntriesProps) {
  return (
    <div className={styles.chips}>
      {series.map(({ id, name, colour }) => (
        <button key={id} type="button" aria-pressed={!off.has(id)} onClick={() => onToggle(id)}>
          <Swatch colour={colour} isOff={off.has(id)} />
          <span>{name}</span>
        </button>
      ))}
    </div>
  );
}

function Rows({ series, off, onToggle, lit, onLit }: EntriesProps) {
  const isPhone = useIsPhone();
  const whole = useMemo(() => sumOf(series), [series]);
  return (
    <VirtualList
      items={series}
      keyOf={({ id }) => id}
      rowPx={isPhone ? PHONE_ROW_PX : ROW_PX}
      className={styles.scroll}
    >
      {(one) => (
        <Row {...{ one, whole, onToggle, onLit }} isOff={off.has(one.id)} isLit={one.id === lit} />
      )}
    </VirtualList>
  );
}

interface RowProps extends Pick<EntriesProps, 'onToggle' | 'onLit'> {
  one: Series;
  isOff: boolean;
  isLit: boolean;
  /** Of all series. */
  whole: number;
}

const Row = memo(function Row(props: RowProps) {
  const { one, isOff, isLit, whole, onToggle, onLit } = props;
  const text = useStatsText();
  const { id, name, silentHours, total } = one;
  const light = () => onLit(id);
  const dim = () => onLit(undefined);
  return (
    <button
      type="button"
      className={styles.row}
      aria-pressed={!isOff}
      data-lit={isLit || undefined}
      title={name}
      onClick={() => onToggle(id)}
      onPointerEnter={light}
      onPointerLeave={dim}
      onFocus={light}
      onBlur={dim}
    >
      <Swatch colour={one.colour} isOff={isOff} />
      <span>{name}</span>
      {silentHours > 0 && (
        <i className={styles.silent} role="img" aria-label={text.silent(String(silentHours))} />
      )}
      <b>{wholeText(total)}</b>
      <small>{shareText(total, whole)}</small>
    </button>
  );
});

// Kopecks would leave no room for the name; the table has them.
const wholeText = (value: number): string => formatNumber(Math.round(value));
