import type { Camera } from '@ridewatch/contract/buses';
import { formatMoment } from '@ridewatch/contract/day';
import type { Segment } from '@ridewatch/contract/segments';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useRef } from 'react';
import { StateTag } from '../../fragment/state-tag.tsx';
import { clockText } from '../../player/clock-text.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import styles from './service-list.module.css';
import { useServiceText } from './use-service-text.ts';

/** Heights of a row (spec section 9). */
const ROW_PX = { desktop: 40, phone: 60 };

interface ServiceListProps {
  segments: readonly Segment[];
  camera: Camera;
  zone: string;
  selectedId: number | undefined;
  /** The list shows what happened from this moment on. */
  fromMs: number | undefined;
  onSelect: (segment: Segment) => void;
}

/** The fragments of a camera's day, as many as fit drawn; the selected one is kept in sight. */
export function ServiceList(props: ServiceListProps) {
  const { segments, camera, zone, selectedId, fromMs, onSelect } = props;
  const text = useServiceText();
  const isPhone = useIsPhone();
  const frame = useRef<HTMLDivElement>(null);
  const rowPx = isPhone ? ROW_PX.phone : ROW_PX.desktop;
  const rows = useVirtualizer({
    count: segments.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: 8,
  });
  const measuredPx = useRef(rowPx);
  useEffect(() => {
    if (measuredPx.current !== rowPx) rows.measure();
    measuredPx.current = rowPx;
  }, [rows, rowPx]);
  const selectedAt = segments.findIndex(({ id }) => id === selectedId);
  useEffect(() => {
    if (selectedAt >= 0) rows.scrollToIndex(selectedAt, { align: 'auto' });
  }, [rows, selectedAt]);
  const onFrom = useEffectEvent((ms: number) => {
    const at = segments.findIndex(({ end_time }) => Date.parse(end_time) > ms);
    if (at >= 0) rows.scrollToIndex(at, { align: 'start' });
  });
  useEffect(() => {
    if (fromMs !== undefined) onFrom(fromMs);
  }, [fromMs]);
  return (
    <section className={styles.list} aria-label={text.fragments(segments.length)}>
      <div className={styles.head} aria-hidden="true">
        <span>{text.time}</span>
        <span>{text.duration}</span>
        <span>{text.state}</span>
      </div>
      <div ref={frame} className={styles.frame} data-player-keys data-fragments>
        <ul className={styles.rows} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((item) => {
            const segment = segments[item.index];
            if (!segment) return null;
            const startMs = Date.parse(segment.start_time);
            const endMs = Date.parse(segment.end_time);
            return (
              <li
                key={segment.id}
                className={styles.item}
                data-fragment={segment.id}
                style={{ height: rowPx, transform: `translateY(${item.start}px)` }}
              >
                <button
                  type="button"
                  className={styles.row}
                  aria-current={segment.id === selectedId || undefined}
                  onClick={() => onSelect(segment)}
                >
                  <span className={styles.time}>
                    {formatMoment(startMs, zone, 'HH:mm')}
                    <small>{formatMoment(startMs, zone, ':ss')}</small>
                  </span>
                  <span className={styles.duration}>{clockText((endMs - startMs) / 1000)}</span>
                  <span className={styles.state}>
                    <StateTag segment={segment} isCameraOffline={camera.status === 'offline'} />
                    {segment.progress !== null && (
                      <span className={styles.progress}>{text.percent(segment.progress)}</span>
                    )}
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}
