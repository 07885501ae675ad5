import { formatMoment } from '@ridewatch/contract/day';
import type { Fragment, FragmentEvent } from '@ridewatch/contract/fragments';
import styles from './fragment-panel.module.css';
import { useFragmentText } from './use-fragment-text.ts';

interface PassagesProps {
  fragment: Fragment;
  zone: string;
  /** Wall time from the start of the fragment, s. */
  onPick: (offsetS: number) => void;
}

/** Lists who was counted in a fragment and when. A press seeks to that moment. */
export function Passages({ fragment, zone, onPick }: PassagesProps) {
  const text = useFragmentText();
  const passages = bySecond(fragment.events ?? []);
  if (passages.length === 0) return null;
  const startMs = Date.parse(fragment.start_time);
  return (
    <ul className={styles.passages} aria-label={text.passages} data-player-keys>
      {passages.map(({ offset_ms, entered, exited }) => (
        <li key={offset_ms}>
          <button type="button" data-passage={offset_ms} onClick={() => onPick(offset_ms / 1000)}>
            <span>{formatMoment(startMs + offset_ms, zone, 'HH:mm:ss')}</span>
            {entered > 0 && <b data-side="entered">+{entered}</b>}
            {exited > 0 && <b data-side="exited">−{exited}</b>}
          </button>
        </li>
      ))}
    </ul>
  );
}

// Events of one second are one entry: several people pass a door in a second.
function bySecond(events: readonly FragmentEvent[]): FragmentEvent[] {
  const seconds = new Map<number, FragmentEvent>();
  for (const event of events) {
    const second = Math.floor(event.offset_ms / 1000);
    const known = seconds.get(second);
    seconds.set(second, {
      offset_ms: known?.offset_ms ?? event.offset_ms,
      entered: (known?.entered ?? 0) + event.entered,
      exited: (known?.exited ?? 0) + event.exited,
    });
  }
  return [...seconds.values()];
}
