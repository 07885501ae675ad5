import { Button, IconButton } from '../ui/button.tsx';
import { drawn } from '../ui/icons.tsx';
import type { BlockKind, TimelineRow } from './blocks.ts';
import { zoomAt } from './time-view.ts';
import styles from './timeline.module.css';
import { useTimelineText } from './use-timeline-text.ts';
import type { TimeAxis } from './use-timeline-view.ts';

const CloserIcon = drawn('M12 5v14M5 12h14');
const FartherIcon = drawn('M5 12h14');
/** Kinds that the legend always has; the others only if they occur. */
const GROUPS: readonly BlockKind[] = ['processed', 'waiting', 'error'];
const KINDS: readonly BlockKind[] = [...GROUPS, 'live', 'cancelled', 'deleted'];

interface TimelineLegendProps {
  rows: readonly TimelineRow[];
  axis: TimeAxis;
}

/** The legend of a timeline, and zoom buttons for users without a wheel. */
export function TimelineLegend({ rows, axis }: TimelineLegendProps) {
  const text = useTimelineText();
  const { view, bounds, setView, anchorMs } = axis;
  const zoomBy = (factor: number) => setView(zoomAt(view, bounds, anchorMs(), factor));
  const there = new Set(rows.flatMap(({ blocks }) => blocks.map(({ kind }) => kind)));
  return (
    <span className={styles.legend}>
      {KINDS.filter((kind) => GROUPS.includes(kind) || there.has(kind)).map((kind) => (
        <span key={kind} className={styles.key}>
          <i data-kind={kind} />
          {text.kinds[kind]}
        </span>
      ))}
      <span className={styles.zoom}>
        <IconButton label={text.zoomOut} onClick={() => zoomBy(0.5)}>
          <FartherIcon />
        </IconButton>
        <IconButton label={text.zoomIn} onClick={() => zoomBy(2)}>
          <CloserIcon />
        </IconButton>
        <Button kind="quiet" onClick={() => setView(bounds)}>
          {text.wholeDay}
        </Button>
      </span>
    </span>
  );
}
