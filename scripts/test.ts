// npm test: all set-up, every check and the quick tier of tests; npm test -- changed [COMMIT]: of the tests only those that
// the changes can reach. The last line has the counts.
import { runChecks } from './checks.ts';
import { type Found, noCounts, ROUNDS, runTests, sayCounts } from './run-tests.ts';
import { setUp } from './setup.mjs';
import { runChanged } from './test-changed.ts';

const counts = noCounts();
const [what, since] = process.argv.slice(2);
try {
  const found = setUp({ browser: 'packaged' });
  if (what === 'changed') await runChanged(found, counts, since);
  else if (what === undefined) await runAll(found);
  else throw new Error(`'${what}' is unknown: npm test, or npm test -- changed [COMMIT].`);
} catch (error) {
  counts.failures.push({ name: 'set-up', errors: [String(error)] });
}
process.exit(sayCounts(counts, { mayBeEmpty: what === 'changed' }));

async function runAll(found: Found): Promise<void> {
  const checks = runChecks(found.node);
  counts.passed += checks.passed;
  counts.failures.push(...checks.failures);
  for (const projects of ROUNDS) await runTests(found, counts, { projects });
}
