import { type LapStop, type LapSummary, searchStops } from '@ridewatch/contract/laps';
import { useMemo } from 'react';
import { useDayLaps, useLapPastMidnight } from '../bus-page/use-day-laps.ts';
import { useEndpoint } from '../calls/api.ts';
import type { LapsLine } from './laps-line.ts';
import { useTimelineText } from './use-timeline-text.ts';

/** A moving bus reaches a stop about this often, ms. */
const TODAY_MS = 30_000;

interface LapsLineOptions {
  busId: number;
  date: string;
  isToday: boolean;
  /** Whether the bus has positions. */
  hasTrack: boolean;
  /** Whether the view is short enough for single stops. */
  isClose: boolean;
}

/** The laps of a bus's day for its timeline, and in a short view their stops; undefined without positions. */
export function useLapsLine(options: LapsLineOptions): LapsLine | undefined {
  const { busId, date, isToday, hasTrack, isClose } = options;
  const text = useTimelineText();
  const answer = useDayLaps(busId, date, isToday, { isWanted: hasTrack, todayMs: TODAY_MS });
  const own = answer.data?.items;
  const isFirst = hasTrack && isToday && own?.length === 0;
  const pastMidnight = useLapPastMidnight(busId, date, answer.data?.timezone ?? '', isFirst);
  const stopsAnswer = useEndpoint(
    searchStops,
    { query: { workplaceId: busId, date } },
    { enabled: hasTrack && isClose, refetchInterval: isToday ? TODAY_MS : false },
  );
  const stops = stopsAnswer.data?.items;
  const isFailed = (answer.isError && !own) || (isClose && stopsAnswer.isError && !stops);
  const failed = isFailed ? text.lapsFailed : undefined;
  return useMemo(() => {
    const laps = pastMidnight ? [pastMidnight] : own;
    return hasTrack
      ? { label: text.laps, failed, laps: lapMarks(laps), stops: stopMarks(isClose ? stops : []) }
      : undefined;
  }, [hasTrack, own, pastMidnight, stops, failed, isClose, text]);
}

const lapMarks = (laps: readonly LapSummary[] = []): LapsLine['laps'] =>
  laps.map((lap) => ({
    id: lap.lap_id,
    label: String(lap.number),
    startMs: Date.parse(lap.start),
    endMs: Date.parse(lap.end),
    isWhole: lap.incomplete === null,
    entered: lap.entered,
    exited: lap.exited,
  }));

const stopMarks = (stops: readonly LapStop[] = []): LapsLine['stops'] =>
  stops
    .flatMap(({ arrival, departure, name, entered, exited, segments }) =>
      arrival === null
        ? []
        : {
            name,
            startMs: Date.parse(arrival),
            endMs: Date.parse(departure ?? arrival),
            entered,
            exited,
            fragments: segments,
          },
    )
    .sort((a, b) => a.startMs - b.startMs);
