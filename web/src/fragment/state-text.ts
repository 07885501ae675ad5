import { formatMoment } from '@ridewatch/contract/day';
import { isFinished } from '@ridewatch/contract/fragment-states';
import type { Fragment } from '@ridewatch/contract/fragments';
import { clockText } from '../player/clock-text.ts';
import { isDeleted } from './deleted-hint.ts';
import type { FragmentTexts } from './texts-ru.ts';

/** Whether somebody cancelled the request for a fragment's video. */
export function isCancelled({ status, fail_reason }: Fragment): boolean {
  return status === 'DOWNLOAD_FAIL' && fail_reason === 'cancelled';
}

/** Whether an attempt to get a fragment's video has failed and another one follows, or runs. */
export function isTriedAgain({ status, fail_reason, next_try_at, stopped }: Fragment): boolean {
  const isWanted =
    status === 'ADDING' || status === 'DOWNLOADING_FROM_TASK' || status === 'LOADING';
  // An upload that has stopped may resume by itself: that is the same attempt.
  return isWanted && fail_reason !== null && (next_try_at !== null || !stopped);
}

/** Says when the next attempt is, in the bus's zone, or that the registrar was asked for it. */
export function nextTryText({ next_try_at }: Fragment, text: FragmentTexts, zone: string): string {
  if (next_try_at === null) return text.askedAgain;
  return text.nextTry(formatMoment(Date.parse(next_try_at), zone, 'HH:mm'));
}

/**
 * The name of a fragment's state, in lists and on scales, with its percent while it is in progress.
 * @param isOfCabin the fragment is of a service camera
 */
export function stateText(fragment: Fragment, text: FragmentTexts, isOfCabin = false): string {
  if (isDeleted(fragment)) return text.deleted;
  if (isCancelled(fragment)) return text.cancelled;
  const { progress, stopped } = fragment;
  const state = text.states[shownStatusOf(fragment, isOfCabin)];
  if (progress === null) return isTriedAgain(fragment) ? text.tryFailed : state;
  if (!stopped) return text.inProgress(state, progress);
  return progress === 0 ? text.stoppedAtStart : text.stoppedAt(progress);
}

/** Explains a fragment's state in a sentence. */
export function stateHint(fragment: Fragment, text: FragmentTexts, isOfCabin = false): string {
  return isCancelled(fragment)
    ? text.cancelledHint
    : text.stateHints[shownStatusOf(fragment, isOfCabin)];
}

// Recordings of the cabin are not counted: once loaded, they are ready.
function shownStatusOf({ status }: Fragment, isOfCabin: boolean): Fragment['status'] {
  return status === 'LOADED' && isFinished(status, isOfCabin) ? 'PROCESSED' : status;
}

/** Longer periods are shown in minutes and seconds, s. */
const LONGEST_IN_SECONDS = 99;

/** How much of its period a truncated video shows, as `14 of 30 s`; undefined for a whole one. */
export function truncatedText({ video }: Fragment, text: FragmentTexts): string | undefined {
  if (!video?.truncated) return undefined;
  const ofS = Math.round(video.truncated.of_ms / 1000);
  // Rounding must not make it look whole.
  const shownS = Math.min(Math.round(video.truncated.shown_ms / 1000), ofS - 1);
  return ofS <= LONGEST_IN_SECONDS
    ? text.shownOf(Math.max(shownS, 0), text.seconds(ofS))
    : text.shownOf(clockText(shownS), clockText(ofS));
}
