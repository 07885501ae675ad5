/** The address that a video is read from, and how often reading it failed. */
export interface Source {
  readonly id: number;
  readonly address: string;
  /** Raised at every new try. */
  readonly attempt: number;
  /** Failures since the video last went on. */
  readonly failures: number;
  /** Where the video stood at the last failure, s. */
  readonly failedAtS: number;
}

/** After so many failures in a row a video is not tried again by itself. */
export const MOST_FAILURES = 2;
/** Playing on for this long after a failure shows that it was mended, s. */
const MENDED_AFTER_S = 1;

/** A video that nothing has happened to yet. */
export function newSource(id: number, address: string): Source {
  return { id, address, attempt: 0, failures: 0, failedAtS: 0 };
}

/** Whether a failure has just been the last that is borne. */
export function hasGivenUp({ failures }: Source): boolean {
  return failures > MOST_FAILURES;
}

/** After a failure: another try with the newest address, unless there were too many. */
export function afterFailure(source: Source, address: string, atS: number): Source {
  const failures = source.failures + 1;
  const failed = { ...source, failures, failedAtS: atS };
  return failures > MOST_FAILURES ? failed : { ...failed, address, attempt: source.attempt + 1 };
}

/** Somebody asks for another try. */
export function tryAgain(source: Source, address: string): Source {
  return { ...source, address, attempt: source.attempt + 1, failures: 0 };
}

/** While it plays: beyond the place of the failure all is well again. */
export function afterProgress(source: Source, atS: number): Source {
  const isMended = source.failures > 0 && Math.abs(atS - source.failedAtS) > MENDED_AFTER_S;
  return isMended ? { ...source, failures: 0 } : source;
}
