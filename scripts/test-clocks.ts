// npm run test:clocks: every test at night, before midnight, and over both clock changes. `npm run test:clocks -- 23:50
// e2e/gps` runs some files at one clock, `-- hours e2e/start` at each hour of the day. Without arguments the start of
// the demo is also tested at each hour.
import { buildWeb } from './build-web.ts';
import { CLOCKS, HOURS, noCounts, ROUNDS, runTests, sayCounts } from './run-tests.ts';
import { setUp } from './setup.mjs';
import { TIERS } from './tiers.ts';

const isClock = (word: string): boolean => /^(\d\d:\d\d|spring|autumn|hours)$/.test(word);
const words = process.argv.slice(2);
const chosen = words.filter(isClock).flatMap((word) => (word === 'hours' ? HOURS : [word]));
const files = words.filter((word) => !isClock(word));

/** Starts of the product. */
const START = { projects: ['e2e'], files: ['e2e/start.long'], tier: 'long' };

const counts = noCounts();
try {
  const found = setUp({ browser: 'whole' });
  buildWeb(found.node);
  for (const clock of chosen.length === 0 ? CLOCKS : chosen) {
    for (const projects of ROUNDS) {
      // A round without any of the files is skipped.
      const isOf = (file: string): boolean => file.startsWith('e2e') === projects.includes('e2e');
      if (files.length === 0 || files.some(isOf)) {
        for (const tier of TIERS) {
          await runTests(found, counts, { projects, files: files.filter(isOf), clock, tier });
        }
      }
    }
  }
  if (words.length === 0) {
    for (const clock of HOURS) {
      await runTests(found, counts, { ...START, clock });
    }
  }
} catch (error) {
  counts.failures.push({ name: 'set-up', errors: [String(error)] });
}
process.exit(sayCounts(counts));
