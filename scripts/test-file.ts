// Runs before each test file.
import { vi } from 'vitest';
import { offsetOf } from './clock-of.ts';
import { shiftDate } from './shift-date.ts';

// All files of a run share one clock, CLOCK_OFFSET_MS (vitest.config.ts); with TEST_CLOCK each begins at the time that it
// says. Both shift the file's Date and, by CLOCK_OFFSET_MS, the servers and units that it starts; harness/browser.ts sets the
// pages.
const { TEST_CLOCK: clock } = process.env;
// Files that share a worker share its Date: each shifts the machine's own, not the one that an earlier file has shifted.
const shared = globalThis as { machineDate?: DateConstructor };
const isFirst = shared.machineDate === undefined;
shared.machineDate ??= Date;
globalThis.Date = shared.machineDate;
if (clock) process.env.CLOCK_OFFSET_MS = String(offsetOf(clock, Date.now()));
const offsetMs = Number(process.env.CLOCK_OFFSET_MS || '0');
if (offsetMs !== 0) shiftDate(offsetMs);

/** Limit for a wait that hangs: Vitest's own second is short on a busy machine, and has no setting. */
const HANGS = { timeout: 60_000, interval: 20 };
if (isFirst) {
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (callback, limit = HANGS) => waitFor(callback, limit);
  vi.waitUntil = (callback, limit = HANGS) => waitUntil(callback, limit);
}
