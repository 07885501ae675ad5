// A bus with a day of counted recordings, for stories about a page that loses its link, or about two who count.
import { type RecordedDay, startRecordedDay } from './recorded-day.ts';

/** Starts a product with three clips of yesterday, and a recording of today that is still on the registrar. */
export function startDayOfClips(): Promise<RecordedDay> {
  const minutes = [0, 10, 20];
  return startRecordedDay(
    { buses: 1, cameras: 1 },
    (morningMs, todayMs) => [
      ...minutes.map((minute) => ({
        ...{ bus: 0, startMs: morningMs + minute * 60_000, lengthMs: 6_000 },
        clip: 'plain.mp4' as const,
      })),
      { bus: 0, startMs: todayMs + 1_000, lengthMs: 6_000 },
    ],
    minutes.length,
  );
}
