import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { fragmentBeside } from '../../fragment/beside.ts';
import { FragmentPanel } from '../../fragment/fragment-panel.tsx';
import { useFragmentText } from '../../fragment/use-fragment-text.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { useAfterPaint } from '../../ui/use-after-paint.ts';
import { PanelCounts } from '../manual-counts/manual-inputs.tsx';
import styles from './count-panel.module.css';
import type { CountDay } from './use-count-day.ts';

const FragmentMap = lazyComponent(
  async () => (await import('../../map/fragment-map.tsx')).FragmentMap,
  () => <div aria-busy="true" />,
);

const DayMap = lazyComponent(
  async () => (await import('../../map/day-map.tsx')).DayMap,
  () => <div className={styles.wait} aria-busy="true" />,
);

/** The selected fragment of the count tab; on a phone with the inputs of its counts. */
export function CountPanel({ count, zone }: { count: CountDay; zone: string }) {
  const { info, date, isToday } = useBusPage();
  const text = useFragmentText();
  const isPhone = useIsPhone();
  const isPainted = useAfterPaint(true);
  const { selected, listed, playing, loop } = count;
  return (
    <FragmentPanel
      fragment={selected}
      next={fragmentBeside(listed, count.selectedId, 1)}
      camera={selected && count.byId.get(selected.cameraId)}
      counts={
        isPhone &&
        count.mayEdit &&
        selected && <PanelCounts fragment={selected} onConfirm={() => loop.confirm(selected)} />
      }
      none={
        info.gps_trackable &&
        (isPainted ? (
          <DayMap
            busId={info.id}
            date={date}
            zone={zone}
            isToday={isToday}
            hint={{ title: text.choose, text: text.chooseHint }}
          />
        ) : (
          <div className={styles.wait} aria-busy="true" />
        ))
      }
      map={
        info.gps_trackable &&
        selected && (
          <FragmentMap
            busId={info.id}
            date={date}
            zone={zone}
            startMs={Date.parse(selected.start_time)}
            endMs={Date.parse(selected.end_time)}
            playhead={playing.playhead}
          />
        )
      }
      zone={zone}
      {...playing}
      onStep={(by) => loop.step(by)}
      onEnded={() => playing.autoplay && loop.step(1, { playing: true })}
      onClose={count.close}
    />
  );
}
