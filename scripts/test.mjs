// npm test: all set-up, every check and every test; tests that depend on the hour also at other clocks. The last line
// has the counts.
import { runChecks } from './checks.mjs';
import { ROUNDS, runTests, sayCounts } from './run-tests.mjs';
import { setUp } from './setup.mjs';

/** Tests of days and hours, and of the start of the product. */
const DEPENDS_ON_THE_HOUR = {
  unit: [
    'contract/src/day',
    'server/src/bus-day/day',
    'server/src/laps/',
    'server/src/core/jobs/jobs',
  ],
  e2e: ['e2e/start.test'],
};
const AT_CLOCKS = ['04:00', 'spring', 'autumn'];

const counts = { passed: 0, failures: [], skipped: 0 };
try {
  const found = setUp({ browser: true });
  const checks = runChecks(found.node);
  counts.passed += checks.passed;
  counts.failures.push(...checks.failures);
  for (const projects of ROUNDS) runTests(found, counts, { projects });
  for (const clock of AT_CLOCKS) {
    for (const [project, files] of Object.entries(DEPENDS_ON_THE_HOUR)) {
      runTests(found, counts, { projects: [project], files, clock });
    }
  }
} catch (error) {
  counts.failures.push({ name: 'set-up', message: error.message });
}
process.exit(sayCounts(counts));
