// The clocks of tests, as TEST_CLOCK names them.
import { momentOf } from '@ridewatch/contract/day';

/** The day of tests that do not ask for another: the simulated fleet has other people and failures each day. */
const USUAL_DAY = '2026-11-26';
/** The clock of tests that do not ask for another: every hour of the day has its buses, and no midnight is near. */
export const USUAL_CLOCK = '18:00';

/** Time to the clock change, ms: the change happens while the product runs. */
const BEFORE_CHANGE_MS = 5_000;

/**
 * How far a clock of tests is ahead of the machine's.
 * @param clock a time in Moscow, `HH:MM` of the usual day or `YYYY-MM-DDTHH:MM`, or `spring` or `autumn`: just before
 *   Europe's next change
 * @param nowMs the machine's time, ms since 1970 UTC
 * @returns ms; negative when behind
 * @throws Error for another clock
 */
export function offsetOf(clock: string, nowMs: number): number {
  return momentOfClock(clock, nowMs) - nowMs;
}

function momentOfClock(clock: string, nowMs: number): number {
  if (clock === 'spring') return nextChange(nowMs, 2) - BEFORE_CHANGE_MS;
  if (clock === 'autumn') return nextChange(nowMs, 9) - BEFORE_CHANGE_MS;
  const written = /^\d\d:\d\d$/.test(clock) ? `${USUAL_DAY}T${clock}` : clock;
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(written);
  const moment = isMoment ? momentOf(written, 'Europe/Moscow') : NaN;
  if (Number.isNaN(moment)) {
    throw new Error(`TEST_CLOCK: '${clock}' is no HH:MM, YYYY-MM-DDTHH:MM, spring or autumn`);
  }
  return moment;
}

// Europe changes at 01:00 UTC on the last Sunday of the month.
function nextChange(nowMs: number, month: number): number {
  const year = new Date(nowMs).getUTCFullYear();
  const changes = [year, year + 1].map((one) => {
    const last = new Date(Date.UTC(one, month, 31, 1));
    return last.getTime() - last.getUTCDay() * 86_400_000;
  });
  return changes.find((ms) => ms > nowMs) ?? NaN;
}
