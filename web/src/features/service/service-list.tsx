import type { Camera } from '@ridewatch/contract/buses';
import type { Fragment } from '@ridewatch/contract/fragments';
import { FragmentRows, TimeCell } from '../../fragment/fragment-rows.tsx';
import { StateTag } from '../../fragment/state-tag.tsx';
import { clockText } from '../../player/clock-text.ts';
import styles from './service-list.module.css';
import type { Span } from './span.ts';
import { useServiceText } from './use-service-text.ts';

interface ServiceListProps {
  fragments: readonly Fragment[];
  camera: Camera;
  zone: string;
  selectedId: number | undefined;
  /** The list scrolls to the start of this range. */
  from: Span | undefined;
  onSelect: (fragment: Fragment) => void;
}

/** The list of a camera's fragments of the day. */
export function ServiceList(props: ServiceListProps) {
  const { fragments, camera, zone } = props;
  const text = useServiceText();
  return (
    <FragmentRows
      items={fragments}
      idOf={({ id }) => id}
      selectedId={props.selectedId}
      label={text.fragments(fragments.length)}
      look={styles.list}
      head={
        <>
          <span>{text.time}</span>
          <span>{text.duration}</span>
          <span>{text.state}</span>
        </>
      }
      from={props.from}
      onSelect={props.onSelect}
      row={(fragment) => {
        const startMs = Date.parse(fragment.start_time);
        const seconds = (Date.parse(fragment.end_time) - startMs) / 1000;
        return (
          <>
            <TimeCell ms={startMs} zone={zone} />
            <span className={styles.quiet}>{clockText(seconds)}</span>
            <span className={styles.state}>
              <StateTag
                fragment={fragment}
                isCameraOffline={camera.status === 'offline'}
                isOfCabin
                zone={zone}
                saysWhy
              />
            </span>
          </>
        );
      }}
    />
  );
}
