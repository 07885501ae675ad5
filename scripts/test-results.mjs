// A Vitest reporter: writes what passed, failed and was skipped to the file that TEST_RESULTS names. Vitest's own JSON
// lacks errors outside of tests, which fail a run, too.
import { writeFileSync } from 'node:fs';

/** Characters of an error message that are kept: enough for an assertion with its values. */
const LONGEST_MESSAGE = 2000;

/** What `scripts/run-tests.mjs` reads after a run. */
export default class TestResults {
  onTestRunEnd(modules, unhandledErrors) {
    const results = { passed: 0, skipped: [], failures: [] };
    const fail = (name, errors) =>
      results.failures.push({ name, message: errors.map(messageOf).join('\n') });
    for (const module of modules) {
      // A file or a group that fails outside of its tests counts once.
      for (const part of [module, ...module.children.allSuites()]) {
        const errors = part.errors();
        if (errors.length > 0) fail(nameOf(module, part), errors);
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') results.passed += 1;
        else if (state === 'failed') fail(nameOf(module, test), errors);
        else results.skipped.push(test.fullName);
      }
    }
    for (const error of unhandledErrors) fail('an error outside of the tests', [error]);
    writeFileSync(process.env.TEST_RESULTS, JSON.stringify(results));
  }
}

function nameOf(module, part) {
  return [module.relativeModuleId, part.fullName].filter(Boolean).join(': ');
}

function messageOf({ message, stack }) {
  const line = /^\s+at .+$/m.exec(stack ?? '')?.[0] ?? '';
  return `${message}\n${line}`.slice(0, LONGEST_MESSAGE);
}
