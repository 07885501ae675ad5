import { ApiError } from '../core/api-error.ts';
import type { Verdict } from './edits.ts';
import { isRefused } from './is-refused.ts';

/** Whether a call was refused because somebody else changed a value of its `seen` meanwhile. */
export function isUnseen(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.error !== 'conflict') return false;
  return error.field?.startsWith('seen.') === true;
}

/**
 * Says what a failed save of one value means.
 * @param reason explains the failure to the user
 * @param readStored reads the value again after a conflict
 */
export async function judgeSave<Value>(
  error: unknown,
  reason: string,
  readStored: () => Promise<Value>,
): Promise<Verdict<unknown, Value>> {
  if (!isRefused(error)) return { means: 'retry', reason };
  if (!isUnseen(error)) return { means: 'keep', reason };
  try {
    const stored = await readStored();
    return { means: 'conflict', reason, stored: () => stored };
  } catch {
    // If the value cannot be read, the field shows the refusal.
    return { means: 'keep', reason };
  }
}
