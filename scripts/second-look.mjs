// A file of stories that waited in vain beside others is run once more, alone. If all of it passes then, it counts as
// passed, and what had failed is printed as unsteady. A failure that may be a fault of the product gets no second look.
/** If more files fail, they have a common cause. */
const MOST_FILES = 3;

/** How errors begin that say only that a wait ended: Vitest's, Playwright's, and those of `waitFor` (harness/product.ts). */
const WAITED =
  /^(?:[\w.]+: )?(?:Timeout \d+ms exceeded|(?:Test|Hook) timed out in \d+ms|waited \d+ ms in vain)/;
const STATUS_5XX = /\b5\d\d\b/;

/**
 * Whether a failure says that waits ended, and nothing of a wrong value or a 5xx answer.
 * @param {{ errors: string[] }} failure
 */
export function isOnlyAWait({ errors }) {
  const isAWait = (error) => {
    const [head] = error.split('\n');
    return WAITED.test(head) && !STATUS_5XX.test(head.replaceAll(/\d+ ?ms/g, ''));
  };
  return errors.length > 0 && errors.every(isAWait);
}

/**
 * Runs files of stories once more whose failures are only waits.
 * @param {FileResults[]} files results of a run; those of a file that passes now are replaced
 * @param {{ file: string, text: string }[]} faults of servers and pages while the stories ran (harness/story-faults.ts)
 * @param {(file: string) => Promise<FileResults | undefined>} runFile
 * @param {(text: string) => void} say prints a line
 * @returns {Promise<Failure[]>} what failed at first and passed now
 */
export async function lookAgain(files, faults, runFile, say) {
  const failed = files.filter(({ failures }) => failures.length > 0);
  if (failed.length > MOST_FILES) return [];
  const unsteady = [];
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

/**
 * @typedef {{ name: string, errors: string[] }} Failure
 * @typedef {{ file: string, passed: number, skipped: { name: string, reason: string }[], failures: Failure[] }} FileResults
 */
