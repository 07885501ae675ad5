// Runs before each test file: TEST_CLOCK says at what time the file begins. Its own Date is shifted, and through
// CLOCK_OFFSET_MS so are the servers and units that it starts; e2e/browser.ts sets the pages. Over a summer-time change
// the fleets of the tests live where the clocks change (vitest.config.ts).
import { dayOf, momentOf } from '@ridewatch/contract/day';
import { shiftDate } from './shift-date.ts';

/** So long before a summer-time change a file begins, ms: the change comes while the product runs. */
const BEFORE_CHANGE_MS = 5_000;

const wanted = process.env.TEST_CLOCK;
if (wanted !== undefined && wanted !== '') {
  const offsetMs = startOf(wanted, Date.now()) - Date.now();
  process.env.CLOCK_OFFSET_MS = String(offsetMs);
  shiftDate(offsetMs);
}

/** @throws Error for what is neither a time of the day, nor `spring` or `autumn` */
function startOf(clock: string, nowMs: number): number {
  if (clock === 'spring') return nextChange(nowMs, 2) - BEFORE_CHANGE_MS;
  if (clock === 'autumn') return nextChange(nowMs, 9) - BEFORE_CHANGE_MS;
  const zone = 'Europe/Moscow';
  const moment = /^\d\d:\d\d$/.test(clock) ? momentOf(`${dayOf(nowMs, zone)}T${clock}`, zone) : NaN;
  if (Number.isNaN(moment)) throw new Error(`TEST_CLOCK: '${clock}' is no HH:MM, spring or autumn`);
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
