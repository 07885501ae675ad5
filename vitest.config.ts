import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { offsetOf, USUAL_CLOCK } from './scripts/clock-of.ts';
import { dataFolder } from './scripts/data-folder.ts';
import { filesOf } from './scripts/tiers.ts';

/** The tier of tests that run: `npm run test:long` sets `long`. */
const tier = process.env.TEST_TIER || 'quick';
/** Whether tests try all that they can: `npm run test:long` sets it. */
const triesEverything = process.env.TEST_TRIES === 'all';

import { guidePages } from './web/guide-pages.ts';

/** The time zone of the fleets of the tests: over a change of summer time where the clocks change. */
const fleetZone = /^(spring|autumn)$/.test(process.env.TEST_CLOCK ?? '')
  ? 'Europe/Berlin'
  : 'Europe/Moscow';

// One clock for the whole run, so that no test depends on the hour. TEST_CLOCK sets the time at which each file begins.
if (!process.env.TEST_CLOCK) {
  process.env.CLOCK_OFFSET_MS ||= String(offsetOf(USUAL_CLOCK, Date.now()));
}
/** The folder of databases of tests. Faults of the long tier are those of a disk, too. */
const data = tier === 'quick' ? dataFolder() : tmpdir();
const setupFiles = ['scripts/test-file.ts'];
/** Only what is drawn anew finds new faults; only what is the same judges a change. */
const seedFiles = tier === 'quick' && !triesEverything ? ['scripts/fixed-seed.ts'] : [];
/** The environment of screens closes what they leave open. */
const serverFiles = ['scripts/left-open.ts', ...setupFiles];

/** Limits are for what hangs: a test that takes 3 s alone takes 20 beside busy processes. */
const server = {
  ...{ environment: 'node' as const, testTimeout: 120_000, hookTimeout: 120_000 },
  expect: { poll: { timeout: 60_000 } },
};

/** Real databases, ffmpeg and browsers: more than two files at once only makes them wait for each other. */
const MOST_FILES_AT_ONCE = 2;
/** With a third one two cores are full, all wait longer, and pages that move use the time. */
const MOST_STORIES_AT_ONCE = 2;

export default defineConfig({
  test: {
    maxWorkers: MOST_FILES_AT_ONCE,
    // A test that waits for something by polling says so itself; none is repeated until it passes.
    retry: 0,
    projects: [
      {
        test: {
          ...server,
          setupFiles: [...serverFiles, ...seedFiles],
          name: 'unit',
          // Files of the quick tier share the modules of a thread. Long tests kill and watch processes, their own included.
          ...(tier === 'quick' && !triesEverything
            ? { pool: 'threads', isolate: false }
            : { pool: 'forks' }),
          provide: { data, fleetZone, triesEverything },
          ...filesOf('unit', tier),
          globalSetup: ['server/src/test/global-setup.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...server,
          name: 'web',
          // Pure functions: a worker runs one file after the other.
          ...{ pool: 'threads', isolate: false },
          setupFiles: [...serverFiles, ...seedFiles],
          ...filesOf('web', tier),
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: [guidePages],
        test: {
          name: 'screens',
          environment: 'jsdom',
          setupFiles: [...setupFiles, 'web/src/test/browser.ts'],
          ...filesOf('screens', tier),
          // A process for each file, and its jsdom, would take longer than its tests.
          pool: 'vmThreads',
          testTimeout: 120_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'e2e',
          maxWorkers: MOST_STORIES_AT_ONCE,
          globalSetup: ['harness/prepared-data.ts'],
          env: { TEST_ZONE: fleetZone, TEST_DATA: data },
          environment: 'node',
          setupFiles: [...serverFiles, 'harness/story-file.ts'],
          ...filesOf('e2e', tier),
          // Limits for what hangs: stories wait for states, on a busy machine for minutes.
          testTimeout: 300_000,
          hookTimeout: 600_000,
          expect: { poll: { timeout: 60_000 } },
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
