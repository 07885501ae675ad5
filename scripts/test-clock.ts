// Runs before each test file: TEST_CLOCK sets the time at which the file begins. It shifts the file's Date and, by
// CLOCK_OFFSET_MS, the servers and units that it starts; e2e/browser.ts sets the pages. For a clock change the fleets
// of the tests are in a zone that has it (vitest.config.ts).
import { dayOf, momentOf } from '@ridewatch/contract/day';
import { shiftDate } from './shift-date.ts';

/** Time from the start of a file to the clock change, ms: the change happens while the product runs. */
const BEFORE_CHANGE_MS = 5_000;

const wanted = process.env.TEST_CLOCK;
if (wanted !== undefined && wanted !== '') {
  const offsetMs = startOf(wanted, Date.now()) - Date.now();
  process.env.CLOCK_OFFSET_MS = String(offsetMs);
  shiftDate(offsetMs);
}

/** The start of a test file, ms since 1970 UTC. @throws Error unless `clock` is a time of day, `spring` or `autumn` */
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
