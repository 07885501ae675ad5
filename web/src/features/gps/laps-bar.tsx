import { formatMoment } from '@ridewatch/contract/day';
import type { LapSummary } from '@ridewatch/contract/laps';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { drawn } from '../../ui/icons.tsx';
import styles from './laps-bar.module.css';
import { useGpsText } from './use-gps-text.ts';
import { ROUTE } from './use-pins.ts';

/** Shortest gap between laps that is drawn, ms. */
const LEAST_GAP_MS = 5 * 60_000;

interface LapsBarProps {
  laps: readonly LapSummary[];
  zone: string;
  hasRoute: boolean;
  /** A lap's number, or the route. */
  shown: string;
  /** Number of the lap whose newer data are not calculated yet. */
  late: number | undefined;
  /** The laps are those of the day before that went on past midnight. */
  isOfDayBefore: boolean;
  /** Id of the panel that the tabs control. */
  panelId: string;
  onShow: (shown: string) => void;
}

/** The laps of the day as tabs on a time scale, after a tab for the route's track. */
export function LapsBar(props: LapsBarProps) {
  const { laps, zone, hasRoute, shown, late, isOfDayBefore, panelId, onShow } = props;
  const text = useGpsText();
  const list = useRef<HTMLDivElement>(null);
  const busiest = Math.max(1, ...laps.map(({ entered }) => entered));
  useEffect(() => {
    const bar = list.current;
    const tab = bar?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(shown)}"]`);
    if (!bar || !tab) return;
    const startPx = tab.offsetLeft - bar.scrollLeft;
    // A tab in sight stays where it was pressed.
    if (startPx >= 0 && startPx + tab.offsetWidth <= bar.clientWidth) return;
    bar.scrollLeft = tab.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2;
  }, [shown]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.code !== 'ArrowRight' && event.code !== 'ArrowLeft') return;
    const by = event.code === 'ArrowRight' ? 1 : -1;
    const names = [...(hasRoute ? [ROUTE] : []), ...laps.map(({ number }) => String(number))];
    const next = names[(names.indexOf(shown) + by + names.length) % names.length];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onShow(next);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next)}"]`)?.focus();
  };
  const tabProps = (name: string) => ({
    type: 'button' as const,
    role: 'tab',
    id: `${panelId}-${name}`,
    'data-tab': name,
    'aria-selected': name === shown,
    'aria-controls': panelId,
    tabIndex: name === (shown || (hasRoute ? ROUTE : '')) ? 0 : -1,
    onClick: () => onShow(name),
  });
  return (
    <div
      ref={list}
      className={styles.bar}
      role="tablist"
      aria-label={text.laps}
      onKeyDown={onKeyDown}
    >
      {hasRoute && (
        <button {...tabProps(ROUTE)} className={styles.route}>
          <RouteIcon />
          {text.routeTrack}
        </button>
      )}
      {laps.map((lap, at) => {
        const startMs = Date.parse(lap.start);
        const before = laps[at - 1];
        const gapMs = before ? startMs - Date.parse(before.end) : 0;
        const clock = formatMoment(startMs, zone, 'HH:mm');
        const from = isOfDayBefore ? text.dayBefore(clock) : clock;
        const flaw = lap.incomplete && !lap.open ? text.incomplete[lap.incomplete] : undefined;
        const to = lap.open ? '…' : formatMoment(Date.parse(lap.end), zone, 'HH:mm');
        const behind =
          lap.number === late
            ? `, ${text.pendingSince(formatMoment(Date.parse(lap.end), zone, 'HH:mm'))}`
            : '';
        const state = lap.open ? `${text.openLap}${behind}` : flaw;
        const rest = [`– ${to}`, `+${lap.entered} −${lap.exited}`, lap.pattern?.name, state]
          .filter(Boolean)
          .join(', ');
        return (
          <button
            key={lap.number}
            {...tabProps(String(lap.number))}
            className={styles.lap}
            style={{
              flexGrow: Math.max(lap.duration, 600),
              marginLeft: gapMs > LEAST_GAP_MS ? Math.min(32, 8 + gapMs / 600_000) : undefined,
            }}
            data-flaw={(flaw && lap.incomplete !== 'no_route') || undefined}
            title={`${text.lap(lap.number)}, ${from} ${rest}`}
          >
            <span className={styles.number}>
              <span className="visually-hidden">{text.lapWord} </span>
              {lap.number}
              {lap.open && (
                <i className={styles.live} data-late={lap.number === late || undefined} />
              )}
            </span>
            <span className={styles.from}>
              {from}
              <span className="visually-hidden">{rest}</span>
            </span>
            <span className={styles.share}>
              <i style={{ width: `${(lap.entered / busiest) * 100}%` }} />
            </span>
          </button>
        );
      })}
    </div>
  );
}

const RouteIcon = drawn('M6 19h9a4 4 0 0 0 0-8H9a4 4 0 0 1 0-8h9');
