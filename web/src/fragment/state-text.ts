import type { Fragment } from '@ridewatch/contract/fragments';
import type { FragmentTexts } from './texts-ru.ts';

/** Whether somebody cancelled the request for a fragment's video. */
export function isCancelled({ status, fail_reason }: Fragment): boolean {
  return status === 'DOWNLOAD_FAIL' && fail_reason === 'cancelled';
}

/** The name of a fragment's state. */
export function stateText(fragment: Fragment, text: FragmentTexts): string {
  return isCancelled(fragment) ? text.cancelled : text.states[fragment.status];
}

/** Explains a fragment's state in a sentence. */
export function stateHint(fragment: Fragment, text: FragmentTexts): string {
  return isCancelled(fragment) ? text.cancelledHint : text.stateHints[fragment.status];
}
