import type { Camera } from '@ridewatch/contract/buses';
import { formatMoment } from '@ridewatch/contract/day';
import type { Segment } from '@ridewatch/contract/segments';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import { ManualInputs, SaveMark } from '../../counting/manual-inputs.tsx';
import { useDrafts } from '../../counting/use-manual-edits.ts';
import { effective } from '../../fragment/effective.ts';
import { AttentionMark, ReviewedMark, StateTag } from '../../fragment/state-tag.tsx';
import { clockText } from '../../player/clock-text.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import styles from './fragment-list.module.css';
import { useDayText } from './use-day-text.ts';

/** Heights of a row (spec section 9). */
const ROW_PX = { desktop: 40, phone: 60 };

interface FragmentListProps {
  segments: readonly Segment[];
  cameras: ReadonlyMap<number, Camera>;
  zone: string;
  selectedId: number | undefined;
  mayEdit: boolean;
  onSelect: (segment: Segment) => void;
  /** Somebody is about to type its counts. */
  onEdit: (segment: Segment) => void;
}

/** The fragments of the day, as many as fit drawn; the selected one is kept in sight. */
export function FragmentList(props: FragmentListProps) {
  const { segments, cameras, zone, selectedId, mayEdit, onSelect, onEdit } = props;
  const text = useDayText();
  const isPhone = useIsPhone();
  const drafts = useDrafts();
  const frame = useRef<HTMLDivElement>(null);
  const rowPx = isPhone ? ROW_PX.phone : ROW_PX.desktop;
  const rows = useVirtualizer({
    count: segments.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: 8,
  });
  // Rows of the other layout have another height: what was measured of them no longer holds.
  const measuredPx = useRef(rowPx);
  useEffect(() => {
    if (measuredPx.current !== rowPx) rows.measure();
    measuredPx.current = rowPx;
  }, [rows, rowPx]);
  const selectedAt = segments.findIndex((segment) => segment.id === selectedId);
  const shownAt = useRef(selectedAt);
  useEffect(() => {
    if (selectedAt < 0) return;
    rows.scrollToIndex(selectedAt, { align: 'auto' });
    // A step by keys may lead below the fold; the page that opens stays where it is.
    if (shownAt.current !== selectedAt) {
      requestAnimationFrame(() => {
        frame.current?.querySelector('[aria-current]')?.parentElement?.scrollIntoView({
          block: 'nearest',
        });
      });
    }
    shownAt.current = selectedAt;
  }, [rows, selectedAt]);
  return (
    // In the sheet of a phone, it is the sheet that has the name.
    <section
      className={styles.list}
      aria-label={isPhone ? undefined : text.fragments(segments.length)}
    >
      <div className={styles.head} aria-hidden="true">
        <span>{text.time}</span>
        <span>{text.duration}</span>
        <span>{text.camera}</span>
        <span className={styles.counts}>
          {text.adults} <small>{text.inOut}</small>
        </span>
        <span className={styles.counts}>
          {text.kids} <small>{text.inOut}</small>
        </span>
        <span>{text.state}</span>
      </div>
      <div ref={frame} className={styles.frame} data-player-keys data-fragments>
        <ul className={styles.rows} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((item) => {
            const segment = segments[item.index];
            const camera = segment && cameras.get(segment.cameraId);
            return (
              segment && (
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
                    <Row
                      segment={segment}
                      camera={camera}
                      zone={zone}
                      mayEdit={mayEdit}
                      hasInputs={mayEdit && !isPhone}
                    />
                  </button>
                  {mayEdit && !isPhone && (
                    <>
                      <ManualInputs
                        segment={segment}
                        draft={drafts.get(segment.id)}
                        onFocus={() => onEdit(segment)}
                      />
                      <span className={styles.saved}>
                        <SaveMark segmentId={segment.id} draft={drafts.get(segment.id)} />
                      </span>
                    </>
                  )}
                </li>
              )
            );
          })}
        </ul>
      </div>
    </section>
  );
}

interface RowProps {
  segment: Segment;
  camera: Camera | undefined;
  zone: string;
  mayEdit: boolean;
  /** The counts stand in inputs over the row. */
  hasInputs: boolean;
}

// Choosing another fragment does not write the moments of all rows anew: that was most of what a choice cost.
const Row = memo(function Row({ segment, camera, zone, mayEdit, hasInputs }: RowProps) {
  const startMs = Date.parse(segment.start_time);
  const seconds = (Date.parse(segment.end_time) - startMs) / 1000;
  const entered = effective(segment.entered, segment.entered_manual);
  const exited = effective(segment.exited, segment.exited_manual);
  return (
    <>
      <span className={styles.time}>
        {formatMoment(startMs, zone, 'HH:mm')}
        <small>{formatMoment(startMs, zone, ':ss')}</small>
      </span>
      <span className={styles.duration}>{clockText(seconds)}</span>
      <span className={styles.camera}>{camera?.name}</span>
      {!hasInputs && (
        <>
          <Pair className={styles.adults} entered={entered.adult} exited={exited.adult} />
          <Pair className={styles.kids} entered={entered.kids} exited={exited.kids} />
        </>
      )}
      <span className={styles.state}>
        {mayEdit && <AttentionMark people={segment.max_objects_count} />}
        <StateTag segment={segment} isCameraOffline={camera?.status === 'offline'} />
        {mayEdit && <ReviewedMark segment={segment} zone={zone} />}
      </span>
    </>
  );
});

interface PairProps {
  className: string | undefined;
  entered: number;
  exited: number;
}

function Pair({ className, entered, exited }: PairProps) {
  return (
    <span className={`${styles.counts} ${className ?? ''}`}>
      <span data-side="entered" data-zero={entered === 0 || undefined}>
        +{entered}
      </span>
      <span data-side="exited" data-zero={exited === 0 || undefined}>
        −{exited}
      </span>
    </span>
  );
}
