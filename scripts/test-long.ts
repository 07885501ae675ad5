// npm run test:long: the long tier of tests, and what depends on the hour at other clocks. Notes the run in
// docs/test-long.md; the last line has the counts.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildWeb } from './build-web.ts';
import { noCounts, ROUNDS, runTests, sayCounts } from './run-tests.ts';
import { root, setUp } from './setup.mjs';
import { noteRun } from './test-record.ts';

/** Tests of days and hours, and of the start of the product. */
const DEPENDS_ON_THE_HOUR = [
  {
    project: 'unit',
    tier: 'quick',
    files: [
      'contract/src/day',
      'server/src/bus-day/day',
      // The engine is pure: it takes its moments from what it is given.
      'server/src/laps/api',
      'server/src/laps/computation/',
      'server/src/laps/recalculation/',
      'server/src/laps/load-at',
      'server/src/laps/passed-stops',
      'server/src/laps/patterns-of-laps',
      'server/src/core/jobs/jobs',
    ],
  },
  { project: 'e2e', tier: 'long', files: ['e2e/start.long'] },
];
const AT_CLOCKS = ['04:00', 'spring', 'autumn'];

/** Files of the quick tier that try more here: properties with new and more random inputs, screens in both themes. */
const TRY_MORE = [
  {
    project: 'unit',
    folders: ['contract/src', 'server/src', 'unit/src'],
    says: /triesOf\(|casesOf\(|measuresCost\(|triesEverything|from 'fast-check'/,
  },
  { project: 'web', folders: ['web/src'], says: /from 'fast-check'/ },
  { project: 'e2e', folders: ['e2e'], says: /findAxeFaultsInThemes\(|casesOf\(|triesEverything/ },
];
const listFiles = ({ folders, says }: (typeof TRY_MORE)[number]): string[] =>
  folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((name) => /(?<!\.long)\.test\.ts$/.test(name))
    .filter((name) => says.test(readFileSync(path.join(root, name), 'utf8')));

const beganMs = performance.now();
const counts = noCounts();
try {
  const found = setUp({ browser: 'whole' });
  buildWeb(found.node);
  for (const projects of ROUNDS) await runTests(found, counts, { projects, tier: 'long' });
  for (const one of TRY_MORE) {
    const files = listFiles(one);
    if (files.length === 0) throw new Error(`No test says ${one.says}.`);
    await runTests(found, counts, { projects: [one.project], files, tries: 'all' });
  }
  for (const { project, tier, files } of DEPENDS_ON_THE_HOUR) {
    // Side by side: a start waits most of its time.
    const tests = await Promise.all(
      AT_CLOCKS.map((clock) =>
        runTests(found, counts, { projects: [project], files, clock, tier }),
      ),
    );
    if (tests.includes(0)) throw new Error(`There are no tests in ${files.join(', ')}.`);
  }
  noteRun(counts, (performance.now() - beganMs) / 60_000);
} catch (error) {
  counts.failures.push({ name: 'set-up', errors: [String(error)] });
}
process.exit(sayCounts(counts));
