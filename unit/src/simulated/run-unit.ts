// Runs a unit in the present: it sends each second's position in small batches, announces finished fragments, uploads
// them, and executes commands. While its link is down it keeps its records and sends them afterwards.
import { UplinkError } from '../uplink/connection.ts';
import type { Timers } from '../uplink/timers.ts';
import type { Pace } from './pace.ts';
import { HISTORY_EVERY_MS, LIVE_EVERY_MS } from './records.ts';
import type { SimulatedUnit } from './simulated-unit.ts';

const SEND_EVERY_MS = 2000;
const RETRY_UPLOAD_MS = 30_000;

export interface RunUnitOptions {
  timers: Timers;
  signal: AbortSignal;
  /** The unit's present, ms since 1970 UTC; behind the clock while history is sent at a pace. */
  presentMs: (unit: SimulatedUnit) => number;
  /** The pace at which queued fragments are uploaded, of all units together. */
  uploadPace: Pace;
  /** Ends the run when the unit has reached the clock. */
  untilNow: boolean;
  onFailure: (unit: SimulatedUnit, error: Error) => void;
}

/** Runs a unit until the signal is aborted, or until it has reached the present. */
export async function runUnit(unit: SimulatedUnit, options: RunUnitOptions): Promise<void> {
  const { timers, signal } = options;
  // Commands and uploads end with the sending.
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const executing = unit.runCommands(both);
  const uploading = uploadAll(unit, { ...options, signal: both });
  try {
    while (!signal.aborted) {
      const nowMs = Math.floor(timers.nowMs() / 1000) * 1000;
      const untilMs = Math.min(nowMs, Math.floor(options.presentMs(unit) / 1000) * 1000);
      const isPresent = untilMs === nowMs;
      // A broken link delays the present only; history is sent as if the link had been up.
      if (untilMs > unit.sentUntilMs && !(isPresent && !unit.isLinked(nowMs))) {
        await send(unit, untilMs, isPresent, options);
      }
      if (isPresent && options.untilNow) break;
      await timers.sleep(SEND_EVERY_MS, signal);
    }
  } finally {
    over.abort();
    await Promise.all([executing, uploading]);
  }
}

async function send(
  unit: SimulatedUnit,
  untilMs: number,
  isPresent: boolean,
  { signal, onFailure }: RunUnitOptions,
): Promise<void> {
  try {
    await unit.sendUntil(untilMs, isPresent ? LIVE_EVERY_MS : HISTORY_EVERY_MS, signal);
  } catch (error) {
    if (!(error instanceof UplinkError)) throw error;
    // The whole batch was refused, for instance because the credential was revoked: the records stay and are sent
    // again.
    onFailure(unit, error);
  }
}

/** Uploads announced fragments one after the other. */
async function uploadAll(
  unit: SimulatedUnit,
  {
    timers,
    signal,
    uploadPace,
    onFailure,
  }: Pick<RunUnitOptions, 'timers' | 'signal' | 'uploadPace' | 'onFailure'>,
): Promise<void> {
  while (!signal.aborted) {
    const upload = unit.pending[0];
    if (upload === undefined || !unit.isLinked(timers.nowMs())) {
      await timers.sleep(SEND_EVERY_MS, signal);
      continue;
    }
    await uploadPace(signal);
    try {
      await unit.uploadPending(upload, signal);
    } catch (error) {
      if (signal.aborted) return;
      const failure = error instanceof Error ? error : new Error(String(error));
      onFailure(unit, failure);
      unit.pending.shift();
      // A permanent error drops the upload; after a transient one it goes to the end of the queue.
      const isFinal = failure instanceof UplinkError && !failure.isTransient;
      if (!isFinal) unit.pending.push(upload);
      await timers.sleep(RETRY_UPLOAD_MS, signal);
    }
  }
}
