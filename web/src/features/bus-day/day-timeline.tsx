import type { Camera } from '@ridewatch/contract/buses';
import type { DaySegments, Segment } from '@ridewatch/contract/segments';
import { useMemo, useState } from 'react';
import type { Playhead } from '../../player/playhead.ts';
import type { TimeView } from '../../timeline/time-view.ts';
import { Timeline } from '../../timeline/timeline.tsx';
import { Button } from '../../ui/button.tsx';
import { CameraSelector } from './camera-selector.tsx';
import { timelineRows } from './fragments.ts';
import styles from './panel.module.css';
import { useDayText } from './use-day-text.ts';

interface DayTimelineProps {
  day: DaySegments;
  cameras: readonly Camera[];
  chosen: ReadonlySet<number>;
  onChosen: (chosen: ReadonlySet<number>) => void;
  selectedId: number | undefined;
  playhead: Playhead;
  /** A fragment was picked, at a second within it. */
  onPick: (segment: Segment, seconds: number) => void;
  view: TimeView | null;
  onView: (view: TimeView | null) => void;
}

const GROUPS = ['processed', 'waiting', 'error'] as const;

/** When each camera recorded: the instrument by which a day is searched. */
export function DayTimeline(props: DayTimelineProps) {
  const { day, cameras, chosen, selectedId, playhead, onPick, view, onView } = props;
  const text = useDayText();
  const [zoomed, setZoomed] = useState(false);
  const shown = useMemo(() => cameras.filter((camera) => chosen.has(camera.id)), [cameras, chosen]);
  const rows = useMemo(() => timelineRows(shown, day.segments), [shown, day.segments]);
  const bounds = useMemo(
    () => ({ startMs: Date.parse(day.start), endMs: Date.parse(day.end) }),
    [day.start, day.end],
  );
  const byId = useMemo(
    () => new Map(day.segments.map((segment) => [segment.id, segment])),
    [day.segments],
  );
  const selected = rows.flatMap((row) => row.blocks).find((block) => block.id === selectedId);
  return (
    <section className={styles.panel} aria-label={text.timelineTitle}>
      <header className={styles.head}>
        <h2>{text.timelineTitle}</h2>
        <CameraSelector cameras={cameras} chosen={chosen} onChange={props.onChosen} />
        <span className={styles.legend}>
          {zoomed && (
            <Button
              kind="quiet"
              onClick={() => {
                setZoomed(false);
                onView(bounds);
              }}
            >
              {text.wholeDay}
            </Button>
          )}
          {GROUPS.map((group) => (
            <span key={group} className={styles.key}>
              <i data-colour={group} />
              {text[group]}
            </span>
          ))}
        </span>
      </header>
      <Timeline
        rows={rows}
        bounds={bounds}
        zone={day.timezone}
        playhead={playhead}
        selected={selected}
        label={text.timelineKeys}
        view={view}
        onView={(next) => {
          setZoomed(true);
          onView(next);
        }}
        onPick={(block, momentMs) => {
          const segment = byId.get(block.id);
          if (segment) onPick(segment, (momentMs - block.startMs) / 1000);
        }}
        describe={(block, row) => (
          <>
            <span>{row.label}</span>
            <span>
              +{block.entered} −{block.exited}
            </span>
            <span>{text[block.group]}</span>
          </>
        )}
      />
    </section>
  );
}
