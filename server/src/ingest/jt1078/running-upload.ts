// The state that a process keeps of an upload that runs at a terminal.
import type { UploadState } from './upload-state.ts';

/** An upload without a byte for this long has failed, ms. */
export const SILENT_MS = 30 * 60_000;
/** A terminal that has connected again goes on with its upload within this time, ms, if it does so by itself. */
const RESUME_MS = 10_000;

export interface Running {
  readonly commandId: number;
  readonly fragmentId: number;
  /** The bytes that had come before. */
  readonly fromBytes: number;
  /** Begin of its silence until something moves, ms since 1970 UTC: the word that it was accepted may be lost. */
  readonly begunMs: number;
  /** It was asked for by another process: its serial is not known. */
  readonly isAdopted: boolean;
  /** Of the message that asked for it; undefined: it is adopted, or not asked for yet. */
  serial: number | undefined;
  /** The terminal's result, and when it came by the clock of elapsed time, ms. */
  result: number | undefined;
  resultMs: number;
  /** The disk was full: its result and its silence fail no attempt. */
  hadNoRoom: boolean;
  /** An upload without a byte for longer needs a look, ms. */
  mostSilentMs: number;
  /** When the file was first seen to be whole, by the clock of elapsed time, ms. */
  wholeMs: number | undefined;
  /** When its terminal signed in on another connection, ms since 1970 UTC; undefined: it did not, or that says nothing. */
  signedInMs: number | undefined;
}

/** Begins to remember one. @param nowMs ms since 1970 UTC */
export function beginRunning(
  { commandId, fragmentId, receivedBytes: fromBytes }: UploadState,
  isAdopted: boolean,
  nowMs: number,
): Running {
  return {
    ...{ commandId, fragmentId, fromBytes, begunMs: nowMs, isAdopted },
    ...{ serial: undefined, result: undefined, resultMs: 0, hadNoRoom: false },
    ...{ wholeMs: undefined, mostSilentMs: SILENT_MS, signedInMs: undefined },
  };
}

/** Notes that the terminal has signed in on another connection. @param atMs ms since 1970 UTC */
export function noteSignIn(running: Running, atMs: number): void {
  [running.signedInMs, running.mostSilentMs] = [atMs, RESUME_MS];
}

/** Forgets that: it says nothing of the upload. */
export function forgetSignIn(running: Running): void {
  [running.signedInMs, running.mostSilentMs] = [undefined, SILENT_MS];
}

/**
 * Whether the upload has ended without a result: its terminal has signed in again, no data connection is open, and the
 * terminal has not gone on by itself. A sign-in before the upload has begun says nothing, and is forgotten; so is one after
 * which the upload has gone on.
 * @param nowMs ms since 1970 UTC
 */
export function hasBroken(
  running: Running,
  { receivedMs, isComing }: UploadState,
  nowMs: number,
): boolean {
  const { signedInMs, begunMs } = running;
  if (signedInMs === undefined) return false;
  // Nobody looks while bytes come, so the connection may have ended since.
  const hasGoneOn = receivedMs - signedInMs >= RESUME_MS;
  if (receivedMs < begunMs || hasGoneOn) {
    forgetSignIn(running);
    return false;
  }
  return !isComing && nowMs - Math.max(signedInMs, receivedMs) >= RESUME_MS;
}
