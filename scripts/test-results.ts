// A Vitest reporter: writes what passed, failed and was skipped in each file to the file that TEST_RESULTS names.
// Vitest's own JSON lacks errors outside of tests, which fail a run, too.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';
import type { Failure, FileResults } from './second-look.ts';

/** Characters of an error message that are kept: enough for an assertion with its values. */
const LONGEST_MESSAGE = 2000;

/** Writes what `scripts/run-tests.ts` reads after a run. */
export default class TestResults implements Reporter {
  #root = '';

  onInit({ config }: Vitest): void {
    this.#root = config.root;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const files = modules.map(resultsOf);
    const outside = unhandledErrors.map((error) => ({
      name: [placeOf(error, this.#root), 'an error outside of the tests']
        .filter(Boolean)
        .join(': '),
      errors: [messageOf(error)],
    }));
    writeFileSync(process.env.TEST_RESULTS ?? '', JSON.stringify({ files, outside }));
  }
}

function resultsOf(module: TestModule): FileResults {
  const failures: Failure[] = [];
  const skipped: { name: string; reason: string }[] = [];
  let passed = 0;
  const fail = (part: Part, errors: readonly SerializedError[]) =>
    failures.push({ name: nameOf(module, part), errors: errors.map(messageOf) });
  // A file or a group that fails outside of its tests counts once.
  for (const part of [module, ...module.children.allSuites()]) {
    const errors = part.errors();
    if (errors.length > 0) fail(part, errors);
  }
  for (const test of module.children.allTests()) {
    const result = test.result();
    if (result.state === 'passed') passed += 1;
    else if (result.state === 'failed') fail(test, result.errors);
    else {
      const note = result.state === 'skipped' ? result.note : undefined;
      skipped.push({ name: nameOf(module, test), reason: note ?? 'no reason given' });
    }
  }
  return { file: module.relativeModuleId, passed, skipped, failures };
}

type Part = TestModule | TestSuite | TestCase;

function nameOf(module: TestModule, part: Part): string {
  return [module.relativeModuleId, part.type === 'module' ? '' : part.fullName]
    .filter(Boolean)
    .join(': ');
}

// The file and test that ran when the error was thrown, as far as Vitest knows.
function placeOf(error: SerializedError, root: string): string | undefined {
  const { VITEST_TEST_PATH: file, VITEST_TEST_NAME: test } = error;
  if (typeof file !== 'string') return undefined;
  return [path.relative(root, file), test].filter(Boolean).join(': ');
}

function messageOf({ message, stack }: SerializedError): string {
  const line = /^\s+at .+$/m.exec(stack ?? '')?.[0] ?? '';
  return `${message}\n${line}`.slice(0, LONGEST_MESSAGE);
}
