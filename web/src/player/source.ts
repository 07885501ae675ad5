/** The address of a video, and its failures. */
export interface Source {
  readonly id: number;
  readonly address: string;
  /** Number of the attempt. */
  readonly attempt: number;
  /** Failures since the video last progressed. */
  readonly failures: number;
  /** Position at the last failure, s. */
  readonly failedAtS: number;
}

/** After more failures in a row the player stops retrying. */
export const MOST_FAILURES = 2;
/** Playback this far beyond a failure resets the count, s. */
const MENDED_AFTER_S = 1;

/** The state of a new video. */
export function newSource(id: number, address: string): Source {
  return { id, address, attempt: 0, failures: 0, failedAtS: 0 };
}

/** Whether the player has stopped retrying. */
export function hasGivenUp({ failures }: Source): boolean {
  return failures > MOST_FAILURES;
}

/** The state after a failure: another attempt with the newest address, unless there were too many. */
export function afterFailure(source: Source, address: string, atS: number): Source {
  const failures = source.failures + 1;
  const failed = { ...source, failures, failedAtS: atS };
  return failures > MOST_FAILURES ? failed : { ...failed, address, attempt: source.attempt + 1 };
}

/** The state after the user asks for another attempt. */
export function tryAgain(source: Source, address: string): Source {
  return { ...source, address, attempt: source.attempt + 1, failures: 0 };
}

/** The state while the video plays: progress beyond the failure resets the count. */
export function afterProgress(source: Source, atS: number): Source {
  const isMended = source.failures > 0 && Math.abs(atS - source.failedAtS) > MENDED_AFTER_S;
  return isMended ? { ...source, failures: 0 } : source;
}
