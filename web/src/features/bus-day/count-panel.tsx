import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { fragmentBeside } from '../../fragment/beside.ts';
import { FragmentPanel } from '../../fragment/fragment-panel.tsx';
import { lazyComponent } from '../../lazy-component.tsx';
import { PanelCounts } from '../../manual-counts/manual-inputs.tsx';
import { useIsPhone } from '../../ui/breakpoints.ts';
import type { CountDay } from './use-count-day.ts';

const FragmentMap = lazyComponent(
  async () => (await import('../../map/fragment-map.tsx')).FragmentMap,
  () => <div aria-busy="true" />,
);

/** The selected fragment of the count tab; on a phone with the inputs of its counts. */
export function CountPanel({ count, zone }: { count: CountDay; zone: string }) {
  const { info, date } = useBusPage();
  const isPhone = useIsPhone();
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
