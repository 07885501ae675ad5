import { defineConfig } from 'vitest/config';
import { filesOf } from './scripts/tiers.mjs';

/** Which tests run: `npm run test:long` sets `long`. */
const tier = process.env.TEST_TIER || 'quick';

/** Where the fleets of the tests live: over a change of summer time where the clocks change. */
const fleetZone = /^(spring|autumn)$/.test(process.env.TEST_CLOCK ?? '')
  ? 'Europe/Berlin'
  : 'Europe/Moscow';

// Every test file begins at the time that TEST_CLOCK says, the machine's unless it is set.
const setupFiles = ['scripts/test-clock.ts'];

/** A test that takes 3 s alone takes 20 beside busy processes; the limit is for one that hangs. */
const server = {
  ...{ environment: 'node' as const, testTimeout: 60_000, hookTimeout: 60_000 },
  expect: { poll: { timeout: 30_000 } },
};

/** Real databases, ffmpeg and browsers: more than two files at once only makes them wait for each other. */
const MOST_FILES_AT_ONCE = 2;
/** Stories wait for pages, units and jobs: two leave half of two cores idle. */
const MOST_STORIES_AT_ONCE = 3;

export default defineConfig({
  test: {
    maxWorkers: MOST_FILES_AT_ONCE,
    // A test that waits for something by polling says so itself; none is repeated until it passes.
    retry: 0,
    projects: [
      {
        test: {
          ...server,
          setupFiles,
          name: 'unit',
          provide: { fleetZone },
          ...filesOf('unit', tier),
          globalSetup: ['server/src/test/global-setup.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'web',
          environment: 'node',
          setupFiles,
          ...filesOf('web', tier),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'screens',
          environment: 'jsdom',
          setupFiles: [...setupFiles, 'web/src/test/browser.ts'],
          ...filesOf('screens', tier),
          // A screen is drawn and pressed many times in one test, beside other files.
          testTimeout: 15_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'e2e',
          maxWorkers: MOST_STORIES_AT_ONCE,
          globalSetup: ['e2e/first-start.ts'],
          env: { TEST_ZONE: fleetZone },
          environment: 'node',
          setupFiles: [...setupFiles, 'e2e/story-file.ts'],
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
