// npm test: all set-up, every check and every test. The last line counts them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runChecks } from './checks.mjs';
import { root, say, setUp } from './setup.mjs';

const counts = { passed: 0, failed: 0, skipped: 0 };
try {
  runAll(setUp({ browser: true }));
} catch (error) {
  say(error.message);
  counts.failed += 1;
}
const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`;
say(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exit(counts.failed === 0 ? 0 : 1);

function runAll({ node, env }) {
  const checks = runChecks(node);
  counts.passed += checks.passed;
  counts.failed += checks.failed;
  const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-results-'));
  for (const projects of [['unit', 'web'], ['e2e']]) {
    const file = path.join(folder, `${projects.join('-')}.json`);
    const done = spawnSync(
      node,
      [
        path.join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        ...projects.flatMap((project) => ['--project', project]),
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
      ],
      { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } },
    );
    add(file, done.status);
  }
  rmSync(folder, { recursive: true, force: true });
}

function add(file, status) {
  let failed = 0;
  try {
    const results = JSON.parse(readFileSync(file, 'utf8'));
    counts.passed += results.numPassedTests;
    failed = results.numFailedTests;
    for (const suite of results.testResults) {
      // A file that does not even load has no tests to fail.
      if (suite.status === 'failed' && suite.assertionResults.length === 0) failed += 1;
      for (const test of suite.assertionResults) {
        if (!['skipped', 'pending', 'todo'].includes(test.status)) continue;
        counts.skipped += 1;
        say(`skipped: ${test.fullName}`);
      }
    }
  } catch (error) {
    say(`No results: ${error.message}`);
  }
  counts.failed += Math.max(failed, status === 0 ? 0 : 1);
}
