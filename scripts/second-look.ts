// A file of stories that waited in vain beside others is run once more, alone. If all of it passes then, it counts as
// passed, and what had failed is printed as unsteady. A failure that may be a fault of the product gets no second look.
export interface Failure {
  readonly name: string;
  readonly errors: readonly string[];
}

/** Results of a file of tests. */
export interface FileResults {
  readonly file: string;
  readonly passed: number;
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  readonly failures: readonly Failure[];
}

/** A fault of a server or page while stories ran (harness/story-faults.ts). */
export interface StoryFault {
  readonly file: string;
  readonly text: string;
}

/** If more files fail, they have a common cause. */
const MOST_FILES = 3;

/** How errors begin that say only that a wait ended: Vitest's, Playwright's, and those of `waitFor` (harness/product.ts). */
const WAITED =
  /^(?:[\w.]+: )?(?:Timeout \d+ms exceeded|(?:Test|Hook) timed out in \d+ms|waited \d+ ms in vain)/;
const STATUS_5XX = /\b5\d\d\b/;

/** Whether a failure says that waits ended, and nothing of a wrong value or a 5xx answer. */
export function isOnlyAWait({ errors }: Pick<Failure, 'errors'>): boolean {
  const isAWait = (error: string): boolean => {
    const [head = ''] = error.split('\n');
    return WAITED.test(head) && !STATUS_5XX.test(head.replaceAll(/\d+ ?ms/g, ''));
  };
  return errors.length > 0 && errors.every(isAWait);
}

/**
 * Runs files of stories once more whose failures are only waits.
 * @param files results of a run; those of a file that passes now are replaced
 * @param faults of servers and pages while the stories ran
 * @param say prints a line
 * @returns what failed at first and passed now
 */
export async function lookAgain(
  files: FileResults[],
  faults: readonly StoryFault[],
  runFile: (file: string) => Promise<FileResults | undefined>,
  say: (text: string) => void,
): Promise<Failure[]> {
  const failed = files.filter(({ failures }) => failures.length > 0);
  if (failed.length > MOST_FILES) return [];
  const unsteady: Failure[] = [];
  for (const results of failed) {
    const { file, failures } = results;
    const own = faults.filter((fault) => fault.file === file);
    for (const { text } of own) say(`${file}: ${text}`);
    if (own.length > 0 || !failures.every(isOnlyAWait)) continue;
    say(`A second look at ${file}, which waited in vain:`);
    const again = await runFile(file);
    if (again === undefined || again.failures.length > 0 || again.passed === 0) continue;
    files.splice(files.indexOf(results), 1, again);
    unsteady.push(...failures);
  }
  return unsteady;
}
