// npm test: all set-up, every check and the quick tier of tests. The last line has the counts.
import { runChecks } from './checks.mjs';
import { noCounts, ROUNDS, runTests, sayCounts } from './run-tests.mjs';
import { setUp } from './setup.mjs';

const counts = noCounts();
try {
  const found = setUp({ browser: 'packaged' });
  const checks = runChecks(found.node);
  counts.passed += checks.passed;
  counts.failures.push(...checks.failures);
  for (const projects of ROUNDS) await runTests(found, counts, { projects });
} catch (error) {
  counts.failures.push({ name: 'set-up', errors: [error.message] });
}
process.exit(sayCounts(counts));
