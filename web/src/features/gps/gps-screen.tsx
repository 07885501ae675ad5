import { addDays } from '@ridewatch/contract/day';
import { isSilent } from '../../bus-page/is-silent.ts';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { isDriven, useDayLaps, useLapPastMidnight } from '../../bus-page/use-day-laps.ts';
import { useAddress } from '../../page/use-address.ts';
import { Waiting } from '../../page/waiting.tsx';
import { Warning } from '../../page/warning.tsx';
import type { GpsAddress } from './address.ts';
import styles from './gps-screen.module.css';
import { LapTab } from './lap-tab.tsx';
import { LapsBar } from './laps-bar.tsx';
import { NoLaps } from './no-laps.tsx';
import { RouteTab } from './route-tab.tsx';
import { useGpsText } from './use-gps-text.ts';
import { ROUTE } from './use-pins.ts';

const PANEL = 'gps-panel';
/** Longer than the recalculation of a lap usually takes, ms. */
const LATE_MS = 90_000;

/** The GPS tab: where the bus drove and stopped, and who got on and off where. */
export function GpsScreen() {
  const { info, date, isToday } = useBusPage();
  const text = useGpsText();
  const { search, go } = useAddress<GpsAddress>();
  const answer = useDayLaps(info.id, date, isToday);
  const { data } = answer;
  const isFirst = isToday && data?.items.length === 0;
  const pastMidnight = useLapPastMidnight(info.id, date, data?.timezone ?? info.timezone, isFirst);
  if (!data) return <Waiting answer={answer} failed={text.failedTitle} headPx={70} bodyPx={480} />;
  const laps = pastMidnight ? [pastMidnight] : data.items;
  const newest = laps.at(-1);
  const hasRoute = info.group !== null;
  // Default: today the lap in progress, on other days the first one. It also replaces a lap that does not exist.
  const isLive = isToday || isDriven(newest);
  const first = isLive ? newest : laps[0];
  const lap = laps.find(({ number }) => String(number) === search.lap) ?? first;
  const isRoute = hasRoute && search.lap === ROUTE;
  const shown = isRoute ? ROUTE : String(lap?.number ?? '');
  const show = (next: string) =>
    // Another lap clears the selections in this one (spec section 4).
    go({ lap: next, stop: undefined, fragment: undefined, t: undefined });
  // Today new data arrive all the time; report only a delay of the lap in progress.
  const isBehind = newest?.open === true && answer.dataUpdatedAt - Date.parse(newest.end) > LATE_MS;
  const late = data.pending && isLive && isBehind ? newest : undefined;
  const isEmpty = laps.length === 0;
  return (
    <>
      {(hasRoute || !isEmpty) && (
        <LapsBar
          laps={laps}
          zone={data.timezone}
          hasRoute={hasRoute}
          shown={shown}
          late={late?.number}
          isOfDayBefore={pastMidnight !== undefined}
          panelId={PANEL}
          onShow={show}
        />
      )}
      {data.pending && !isLive && !isEmpty && (
        <p role="status" className={styles.pending}>
          {text.pending}
        </p>
      )}
      {data.failure && (
        <div className={styles.failure}>
          <Warning>{text.failure[data.failure]}</Warning>
        </div>
      )}
      <div
        id={PANEL}
        role="tabpanel"
        aria-labelledby={`${PANEL}-${shown}`}
        className={styles.panel}
      >
        {isRoute && <RouteTab laps={laps} />}
        {!isRoute && isEmpty && <NoLaps day={data} isBegun={isToday && !isSilent(info)} />}
        {!isRoute && lap && (
          <LapTab
            key={lap.number}
            day={pastMidnight ? addDays(date, -1) : date}
            summary={lap}
            laps={laps}
            zone={data.timezone}
            isLate={lap.number === late?.number}
          />
        )}
      </div>
    </>
  );
}
