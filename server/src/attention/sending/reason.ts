import { storableOf } from '../../core/storable.ts';

/** Longest stored reason, characters. */
const MAX_REASON = 300;

/** Why a message was not taken, as it is stored: a server at the far end may say anything. */
export function reasonOf(error: unknown): string {
  return storableOf(error instanceof Error ? error.message : String(error), MAX_REASON);
}
