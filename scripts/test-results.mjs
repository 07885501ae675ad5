// A Vitest reporter: writes what passed, failed and was skipped in each file to the file that TEST_RESULTS names.
// Vitest's own JSON lacks errors outside of tests, which fail a run, too.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Characters of an error message that are kept: enough for an assertion with its values. */
const LONGEST_MESSAGE = 2000;

/** What `scripts/run-tests.mjs` reads after a run. */
export default class TestResults {
  #root = '';

  onInit({ config }) {
    this.#root = config.root;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const files = modules.map(resultsOf);
    const outside = unhandledErrors.map((error) => ({
      name: [placeOf(error, this.#root), 'an error outside of the tests']
        .filter(Boolean)
        .join(': '),
      errors: [messageOf(error)],
    }));
    writeFileSync(process.env.TEST_RESULTS, JSON.stringify({ files, outside }));
  }
}

function resultsOf(module) {
  const results = { file: module.relativeModuleId, passed: 0, skipped: [], failures: [] };
  const fail = (part, errors) =>
    results.failures.push({ name: nameOf(module, part), errors: errors.map(messageOf) });
  // A file or a group that fails outside of its tests counts once.
  for (const part of [module, ...module.children.allSuites()]) {
    const errors = part.errors();
    if (errors.length > 0) fail(part, errors);
  }
  for (const test of module.children.allTests()) {
    const { state, errors, note } = test.result();
    if (state === 'passed') results.passed += 1;
    else if (state === 'failed') fail(test, errors);
    else results.skipped.push({ name: nameOf(module, test), reason: note ?? 'no reason given' });
  }
  return results;
}

function nameOf(module, part) {
  return [module.relativeModuleId, part.fullName].filter(Boolean).join(': ');
}

// The file and test that ran when the error was thrown, as far as Vitest knows.
function placeOf({ VITEST_TEST_PATH: file, VITEST_TEST_NAME: test }, root) {
  if (file === undefined) return undefined;
  return [path.relative(root, file), test].filter(Boolean).join(': ');
}

function messageOf({ message, stack }) {
  const line = /^\s+at .+$/m.exec(stack ?? '')?.[0] ?? '';
  return `${message}\n${line}`.slice(0, LONGEST_MESSAGE);
}
