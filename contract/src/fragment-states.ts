import * as z from 'zod/mini';

/** Every state of a fragment (spec section 4). */
export const FragmentStatus = z.enum([
  'ADDING',
  'ADDED',
  'DOWNLOADING_FROM_TASK',
  'LOADING',
  'LOADED',
  'PROCESSING',
  'PROCESSED',
  'MERGING',
  'WAS_MERGED',
  'DOWNLOAD_FAIL',
  'LIVE',
]);
export type FragmentStatus = z.infer<typeof FragmentStatus>;

/** The only moves a fragment makes; the server refuses any other. */
export const fragmentMoves: Readonly<Record<FragmentStatus, readonly FragmentStatus[]>> = {
  // After recording, a fragment is queued or kept; a unit may queue a kept one later.
  ADDING: ['ADDED', 'LIVE', 'DOWNLOAD_FAIL'],
  ADDED: ['LOADING', 'DOWNLOADING_FROM_TASK'],
  LIVE: ['DOWNLOADING_FROM_TASK', 'ADDED'],
  DOWNLOADING_FROM_TASK: ['LOADING', 'DOWNLOAD_FAIL'],
  LOADING: ['LOADED', 'DOWNLOAD_FAIL'],
  LOADED: ['PROCESSING', 'DOWNLOADING_FROM_TASK'],
  PROCESSING: ['PROCESSED', 'LOADED', 'WAS_MERGED'],
  PROCESSED: ['MERGING', 'PROCESSING', 'DOWNLOADING_FROM_TASK'],
  MERGING: ['WAS_MERGED', 'PROCESSED'],
  WAS_MERGED: ['PROCESSING', 'MERGING', 'DOWNLOADING_FROM_TASK'],
  DOWNLOAD_FAIL: ['DOWNLOADING_FROM_TASK'],
};

/** How a timeline colours a fragment. */
export type TimelineGroup = 'processed' | 'waiting' | 'error';

/** Whether the fragment has ended and can be played; service cameras are not counted and end at LOADED. */
export function isFinished(status: FragmentStatus, serviceCamera: boolean): boolean {
  return (
    status === 'PROCESSED' ||
    status === 'MERGING' ||
    status === 'WAS_MERGED' ||
    (serviceCamera && status === 'LOADED')
  );
}

/** States of a fragment whose file is fetched again, or failed to be: the old file is used. */
const fetchedAnew: ReadonlySet<FragmentStatus> = new Set([
  'DOWNLOADING_FROM_TASK',
  'LOADING',
  'DOWNLOAD_FAIL',
]);

/**
 * Whether a stored source may be downloaded: of recorded cameras, once the fragment is finished (spec section 6), also
 * while it is fetched again.
 */
export function maySendSource(status: FragmentStatus, serviceCamera: boolean): boolean {
  return !serviceCamera && (isFinished(status, serviceCamera) || fetchedAnew.has(status));
}

/**
 * How a fragment with a playable file is played: as one MP4, or as HLS while it is LOADED or PROCESSING. While a file
 * is fetched again the old one is used.
 */
export function playbackOf(status: FragmentStatus, serviceCamera: boolean): 'file' | 'stream' {
  const isOnItsWay = status === 'LOADED' || status === 'PROCESSING';
  return isOnItsWay && !isFinished(status, serviceCamera) ? 'stream' : 'file';
}

/** The timeline group of a fragment. */
export function timelineGroup(status: FragmentStatus, serviceCamera: boolean): TimelineGroup {
  if (status === 'DOWNLOAD_FAIL') return 'error';
  return isFinished(status, serviceCamera) ? 'processed' : 'waiting';
}

const inProgress: ReadonlySet<FragmentStatus> = new Set([
  'ADDING',
  'LOADING',
  'PROCESSING',
  'MERGING',
  'DOWNLOADING_FROM_TASK',
]);

/** Whether the fragment is being worked on. */
export function isInProgress(status: FragmentStatus): boolean {
  return inProgress.has(status);
}

/** The tag of a fragment in lists: error also when its camera is offline (spec section 4). */
export function fragmentTag(
  status: FragmentStatus,
  cameraOffline: boolean,
): 'neutral' | 'error' | 'success' {
  if (status === 'DOWNLOAD_FAIL' || cameraOffline) return 'error';
  if (isInProgress(status) || status === 'ADDED' || status === 'LOADED') return 'neutral';
  return 'success';
}

/** States from which the video may be requested from the unit. */
export function canFetch(status: FragmentStatus): boolean {
  return fragmentMoves[status].includes('DOWNLOADING_FROM_TASK');
}

/** More people in view than this give the attention mark (spec section 9). */
export const ATTENTION_THRESHOLD = 4;
