import { type DayFragments, hasKids } from '@ridewatch/contract/fragments';
import { type ReactNode, useMemo } from 'react';
import { isSilent } from '../../bus-page/is-silent.ts';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { Columns } from '../../page/columns.tsx';
import { Waiting } from '../../page/waiting.tsx';
import { timelineRows } from '../../timeline/rows.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CameraSelector } from './camera-selector.tsx';
import { CountPanel } from './count-panel.tsx';
import styles from './count-screen.module.css';
import { DayChart } from './day-chart.tsx';
import { DayTotals } from './day-totals.tsx';
import { FragmentList } from './fragment-list.tsx';
import type { ListFilter } from './list-filters.ts';
import { ListTools } from './list-tools.tsx';
import { type CountDay, useCountDay } from './use-count-day.ts';
import { useDayText } from './use-day-text.ts';

const FragmentSheet = lazyComponent(
  async () => (await import('./fragment-sheet.tsx')).FragmentSheet,
);
const VideoModal = lazyComponent(async () => (await import('./video-modal.tsx')).VideoModal);

/** The count tab: who got on and off, and the video of it. */
export function CountScreen() {
  const { info, isToday } = useBusPage();
  const text = useDayText();
  const isPhone = useIsPhone();
  const count = useCountDay();
  const { answer, day, cameras, chosen, listed, selected, selectedId, playing } = count;
  const rows = useMemo(
    () =>
      timelineRows(
        cameras.filter(({ id }) => chosen.has(id)),
        day?.segments ?? [],
      ),
    [cameras, chosen, day?.segments],
  );
  if (!day) {
    return (
      <Waiting answer={answer} headPx={256} bodyPx={410}>
        <DayTotals info={info} day={undefined} />
      </Waiting>
    );
  }
  const hasNothing = day.segments.length === 0 && day.totalEntered + day.totalExited === 0;
  const hasVideo = cameras.length > 0;
  const panel = <CountPanel count={count} zone={day.timezone} />;
  const selector = <CameraSelector cameras={cameras} chosen={chosen} onChange={count.choose} />;
  const filters = (
    <ListTools
      fragments={count.shown}
      value={count.filter}
      mayEdit={count.mayEdit}
      onChange={count.setFilter}
    />
  );
  const tools = !isPhone && (
    <>
      {filters}
      {selector}
    </>
  );
  const listOf = (hasPictures: boolean) => (
    <ChosenFragments count={count} day={day} tools={tools} hasPictures={hasPictures} />
  );
  return (
    <>
      <DayTotals info={info} day={day} />
      {hasNothing ? (
        <EmptyState {...(isToday && !isSilent(info) ? text.begun : text.empty)} />
      ) : (
        <Columns
          look={hasVideo ? styles.content : styles.alone}
          aside={hasVideo && !isPhone && panel}
        >
          {hasVideo && isPhone && selector}
          <DayChart
            info={info}
            isToday={isToday}
            day={day}
            rows={hasVideo ? rows : undefined}
            selectedId={selectedId}
            playhead={playing.playhead}
            // A press on the timeline starts playback there.
            onPick={(fragment, seconds) => count.open(fragment, seconds, true)}
          />
          {hasVideo || <EmptyState title={text.noDoorsTitle} text={text.noDoorsText} />}
          {hasVideo && !isPhone && listOf(false)}
          {hasVideo && isPhone && (
            <FragmentSheet count={listed.length} filters={filters}>
              {listOf}
            </FragmentSheet>
          )}
          {isPhone && selected && (
            <VideoModal label={count.byId.get(selected.cameraId)?.name ?? ''} onClose={count.close}>
              {panel}
            </VideoModal>
          )}
        </Columns>
      )}
    </>
  );
}

interface ChosenFragmentsProps {
  count: CountDay;
  day: DayFragments;
  /** Content beside the title of the list. */
  tools: ReactNode;
  /** The rows of a phone have a picture each. */
  hasPictures: boolean;
}

/** The list of fragments, or a note that no camera is selected. */
function ChosenFragments({ count, day, tools, hasPictures }: ChosenFragmentsProps) {
  const text = useDayText();
  if (count.chosen.size === 0) {
    return (
      <>
        {tools}
        <EmptyState title={text.noCamerasTitle} text={text.noCamerasText} />
      </>
    );
  }
  return (
    <FragmentList
      fragments={count.listed}
      cameras={count.byId}
      zone={day.timezone}
      hasKids={hasKids(day)}
      selectedId={count.selectedId}
      mayEdit={count.mayEdit}
      tools={tools}
      hasPictures={hasPictures}
      empty={count.filter && <NoMatch count={count} filter={count.filter} />}
      movesPage={count.movesPage}
      isUnasked={count.isUnasked}
      onSelect={(fragment) => count.open(fragment)}
      onEdit={(fragment) => fragment.id !== count.selectedId && count.open(fragment)}
    />
  );
}

/** The filter leaves no fragment. */
function NoMatch({ count, filter }: { count: CountDay; filter: ListFilter }) {
  const text = useDayText();
  return (
    <EmptyState title={text.noMatch[filter]} text={text.noMatchText}>
      <Button onClick={() => count.setFilter(undefined)}>{text.showAllFragments}</Button>
    </EmptyState>
  );
}
