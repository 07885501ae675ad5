export interface Failure {
  readonly name: string;
  readonly errors: readonly string[];
}

export interface FileResults {
  readonly file: string;
  readonly passed: number;
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  readonly failures: readonly Failure[];
}

/** Whether a failure says that waits ended, and nothing of a wrong value or a 5xx answer. */
export declare function isOnlyAWait(failure: Pick<Failure, 'errors'>): boolean;

/**
 * Runs files of stories once more whose failures are only waits, and replaces the results of those that pass now.
 * @returns what failed at first and passed now
 */
export declare function lookAgain(
  files: FileResults[],
  faults: readonly { readonly file: string; readonly text: string }[],
  runFile: (file: string) => Promise<FileResults | undefined>,
  say: (text: string) => void,
): Promise<Failure[]>;
