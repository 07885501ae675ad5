import { useMemo } from 'react';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { fragmentBeside } from '../../fragment/beside.ts';
import { FragmentPanel } from '../../fragment/fragment-panel.tsx';
import { Columns } from '../../page/columns.tsx';
import { FailedRead } from '../../page/failed-read.tsx';
import { useAddress } from '../../page/use-address.ts';
import { Waiting } from '../../page/waiting.tsx';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ServiceAddress } from './address.ts';
import { CameraStatus } from './camera-status.tsx';
import { PreloadBar } from './preload-bar.tsx';
import { ServiceChoices } from './service-choices.tsx';
import { ServiceList } from './service-list.tsx';
import styles from './service-screen.module.css';
import { ServiceTimeline } from './service-timeline.tsx';
import { useServiceCamera } from './use-service-camera.ts';
import { useServiceDay } from './use-service-day.ts';
import { useServiceText } from './use-service-text.ts';
import { useSpan } from './use-span.ts';

const LiveView = lazyComponent(async () => (await import('./live-view.tsx')).LiveView);

/** The cabin tab: recordings of the service cameras, requests to the registrar, and live video. */
export function ServiceScreen() {
  const { info, date, isToday } = useBusPage();
  const text = useServiceText();
  const isPhone = useIsPhone();
  const { search, note } = useAddress<ServiceAddress>();
  const { cameras, camera, status, statusAnswer } = useServiceCamera(info, search.camera);
  const { answer, fragments, selected, selectedId, playing, open, close, loop } = useServiceDay(
    camera,
    status,
  );
  const bounds = useMemo(
    () => ({ startMs: Date.parse(info.day_start), endMs: Date.parse(info.day_end) }),
    [info.day_start, info.day_end],
  );
  const [span, setSpan] = useSpan(bounds);

  if (!camera) return <EmptyState title={text.emptyDay} text="" />;
  if (!fragments) {
    return <Waiting answer={answer} failed={text.failedTitle} headPx={168} bodyPx={320} />;
  }
  const zone = info.timezone;
  const isLive = search.part === 'live';
  // The unit of a bus that has passed on takes no commands of its former customer.
  const isPresent = info.last_own_day === null;
  const hasRegistrar = info.type === 'VMS' && isPresent;
  const change = (next: Parameters<typeof note>[0]) => {
    close();
    note({ fragment: undefined, t: undefined, ...next });
  };
  const watched = isLive ? (
    <LiveView key={camera.id} camera={camera} zone={zone} />
  ) : (
    (!isPhone || selected) && (
      <FragmentPanel
        fragment={selected}
        next={fragmentBeside(fragments, selectedId, 1)}
        camera={camera}
        zone={zone}
        {...playing}
        onStep={(by) => loop.step(by)}
        onEnded={() => playing.autoplay && loop.step(1, { playing: true })}
        onClose={close}
      />
    )
  );
  return (
    <>
      <ServiceChoices
        cameras={cameras}
        camera={camera}
        isLive={isLive}
        onCamera={({ id }) => change({ camera: id === cameras[0]?.id ? undefined : String(id) })}
        onLive={(on) => change({ part: on ? 'live' : undefined })}
      />
      <FailedRead answer={statusAnswer} what={text.statusOf} />
      {camera.status === 'offline' && isPresent && (
        <CameraStatus busId={info.id} camera={camera} status={status} zone={zone} />
      )}
      <Columns look={isLive ? styles.live : styles.recorded} aside={watched}>
        <ServiceTimeline
          info={info}
          date={date}
          isToday={isToday}
          bounds={bounds}
          camera={camera}
          status={status}
          fragments={fragments}
          selectedId={selectedId}
          playhead={playing.playhead}
          span={span}
          onSpan={setSpan}
          onPick={(fragment, momentMs) => open(fragment, momentMs, true)}
        >
          {hasRegistrar && (
            <PreloadBar
              busId={info.id}
              camera={camera}
              cameras={info.cameras}
              status={status}
              span={span}
              onSpan={setSpan}
              date={date}
              bounds={bounds}
              zone={zone}
            />
          )}
        </ServiceTimeline>
        {fragments.length > 0 ? (
          <ServiceList
            fragments={fragments}
            camera={camera}
            zone={zone}
            selectedId={selectedId}
            from={span}
            onSelect={(fragment) => open(fragment)}
          />
        ) : (
          <p className={styles.quiet}>
            {text.emptyDay} {hasRegistrar && text.emptyDayHint}
          </p>
        )}
      </Columns>
    </>
  );
}
