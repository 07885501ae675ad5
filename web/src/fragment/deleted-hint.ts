import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import { isInProgress } from '@ridewatch/contract/fragment-states';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { FragmentTexts } from './texts-ru.ts';

/**
 * Whether a fragment's video was deleted and is not being fetched again. A fragment that could not be fetched again
 * counts as an error instead.
 */
export function isDeleted(fragment: Fragment): boolean {
  return wasDeleted(fragment) && fragment.status !== 'DOWNLOAD_FAIL';
}

/** When and why a fragment's video was deleted; undefined if it was not. */
export function deletedHint(fragment: Fragment, text: FragmentTexts): string | undefined {
  const { video_deleted_at, video_deleted_for } = fragment;
  if (!wasDeleted(fragment) || video_deleted_at === null) return undefined;
  const day = formatMoment(Date.parse(video_deleted_at), FALLBACK_ZONE, 'DD.MM.YYYY');
  return text.deletedHint(day, video_deleted_for === 'space');
}

function wasDeleted({ video, video_deleted_at, status }: Fragment): boolean {
  return video === null && video_deleted_at !== null && !isInProgress(status);
}
