import { isFinished } from '@ridewatch/contract/fragment-states';
import type { Fragment } from '@ridewatch/contract/fragments';
import { isDeleted } from './deleted-hint.ts';
import type { FragmentTexts } from './texts-ru.ts';

/** Whether somebody cancelled the request for a fragment's video. */
export function isCancelled({ status, fail_reason }: Fragment): boolean {
  return status === 'DOWNLOAD_FAIL' && fail_reason === 'cancelled';
}

/**
 * The name of a fragment's state, in lists and on scales.
 * @param isOfCabin the fragment is of a service camera
 */
export function stateText(fragment: Fragment, text: FragmentTexts, isOfCabin = false): string {
  if (isDeleted(fragment)) return text.deleted;
  return isCancelled(fragment) ? text.cancelled : text.states[stateOf(fragment, isOfCabin)];
}

/** Explains a fragment's state in a sentence. */
export function stateHint(fragment: Fragment, text: FragmentTexts, isOfCabin = false): string {
  return isCancelled(fragment) ? text.cancelledHint : text.stateHints[stateOf(fragment, isOfCabin)];
}

// Recordings of the cabin are not counted: once loaded, they are ready.
function stateOf({ status }: Fragment, isOfCabin: boolean): Fragment['status'] {
  return status === 'LOADED' && isFinished(status, isOfCabin) ? 'PROCESSED' : status;
}
