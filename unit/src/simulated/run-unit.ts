// The present: every unit tells each second's position in small batches, announces fragments as they are whole, uploads
// them, and obeys commands. While its link is broken it keeps everything and tells it afterwards.
import { UplinkError } from '../uplink/connection.ts';
import type { Timers } from '../uplink/timers.ts';
import { HISTORY_EVERY_MS, LIVE_EVERY_MS } from './records.ts';
import type { SimulatedUnit } from './simulated-unit.ts';

const TELL_EVERY_MS = 2000;
const RETRY_UPLOAD_MS = 30_000;

export interface LiveOptions {
  timers: Timers;
  signal: AbortSignal;
  /** Up to which moment of the world a unit has lived by now; behind the clock while history is told at a pace. */
  livedUntilMs: (unit: SimulatedUnit) => number;
  /** Ends a unit's life when it has reached the clock. */
  untilNow: boolean;
  onFailure: (unit: SimulatedUnit, error: Error) => void;
}

/** Runs a unit until the signal fires, or until it has reached the present. */
export async function live(unit: SimulatedUnit, options: LiveOptions): Promise<void> {
  const { timers, signal } = options;
  // What serves the unit's telling ends with it.
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const obeying = unit.obey(both);
  const uploading = uploadAll(unit, { ...options, signal: both });
  try {
    while (!signal.aborted) {
      const nowMs = Math.floor(timers.nowMs() / 1000) * 1000;
      const untilMs = Math.min(nowMs, Math.floor(options.livedUntilMs(unit) / 1000) * 1000);
      const isPresent = untilMs === nowMs;
      // A broken link delays the present only: history is told as if it had come through.
      if (untilMs > unit.sentUntilMs && !(isPresent && !unit.isLinked(nowMs))) {
        await tell(unit, untilMs, isPresent, options);
      }
      if (isPresent && options.untilNow) break;
      await timers.sleep(TELL_EVERY_MS, signal);
    }
  } finally {
    over.abort();
    await Promise.all([obeying, uploading]);
  }
}

async function tell(
  unit: SimulatedUnit,
  untilMs: number,
  isPresent: boolean,
  { signal, onFailure }: LiveOptions,
): Promise<void> {
  try {
    await unit.tellUntil(untilMs, isPresent ? LIVE_EVERY_MS : HISTORY_EVERY_MS, signal);
  } catch (error) {
    if (!(error instanceof UplinkError)) throw error;
    // The whole batch was refused, for instance because the credential was revoked: the records stay and are offered
    // again.
    onFailure(unit, error);
  }
}

/** Uploads announced fragments one after the other. */
async function uploadAll(
  unit: SimulatedUnit,
  { timers, signal, onFailure }: Pick<LiveOptions, 'timers' | 'signal' | 'onFailure'>,
): Promise<void> {
  while (!signal.aborted) {
    const upload = unit.pending[0];
    if (upload === undefined || !unit.isLinked(timers.nowMs())) {
      await timers.sleep(TELL_EVERY_MS, signal);
      continue;
    }
    try {
      await unit.uploadPending(upload, signal);
    } catch (error) {
      if (signal.aborted) return;
      const failure = error instanceof Error ? error : new Error(String(error));
      onFailure(unit, failure);
      unit.pending.shift();
      // What the server refuses for good is dropped; what may pass goes to the end of the line.
      const isFinal = failure instanceof UplinkError && !failure.isTransient;
      if (!isFinal) unit.pending.push(upload);
      await timers.sleep(RETRY_UPLOAD_MS, signal);
    }
  }
}
