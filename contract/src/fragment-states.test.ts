// The states of a fragment: their groups on timelines, their tags in lists, and how each is played.
import { describe, expect, it } from 'vitest';
import {
  canFetch,
  FragmentStatus,
  fragmentTag,
  isFinished,
  maySendSource,
  playbackOf,
  timelineGroup,
} from './fragment-states.ts';

const all = FragmentStatus.options;
/** The states for which something holds, as one line. */
const which = (holds: (status: FragmentStatus) => boolean): string => all.filter(holds).join(' ');

describe('the groups of a timeline', () => {
  it('are processed for what is finished, error for what failed, and waiting for the rest', () => {
    expect(which((one) => timelineGroup(one, false) === 'processed')).toBe(
      'PROCESSED MERGING WAS_MERGED',
    );
    expect(which((one) => timelineGroup(one, false) === 'error')).toBe('DOWNLOAD_FAIL');
    expect(which((one) => timelineGroup(one, false) === 'waiting')).toBe(
      'ADDING ADDED DOWNLOADING_FROM_TASK LOADING LOADED PROCESSING LIVE',
    );
  });

  it('of a service camera, which is not counted, have LOADED among the finished', () => {
    const added = all.filter((one) => isFinished(one, true) !== isFinished(one, false));
    expect(added).toEqual(['LOADED']);
    expect(timelineGroup('LOADED', true)).toBe('processed');
  });
});

describe('the tag of a fragment', () => {
  it('is an error for what failed, neutral while it is on its way, and success otherwise', () => {
    expect(which((one) => fragmentTag(one, false) === 'error')).toBe('DOWNLOAD_FAIL');
    expect(which((one) => fragmentTag(one, false) === 'neutral')).toBe(
      'ADDING ADDED DOWNLOADING_FROM_TASK LOADING LOADED PROCESSING MERGING',
    );
    expect(which((one) => fragmentTag(one, false) === 'success')).toBe('PROCESSED WAS_MERGED LIVE');
  });

  it('is an error in every state while the camera is offline', () => {
    expect(all.every((one) => fragmentTag(one, true) === 'error')).toBe(true);
  });
});

describe('the video of a fragment', () => {
  it('is played as HLS while it is loaded or being counted, and as a file otherwise', () => {
    expect(which((one) => playbackOf(one, false) === 'stream')).toBe('LOADED PROCESSING');
    expect(which((one) => playbackOf(one, true) === 'stream')).toBe('PROCESSING');
  });

  it('may be requested from the unit in the states from which a preload begins', () => {
    expect(which(canFetch)).toBe('ADDED LOADED PROCESSED WAS_MERGED DOWNLOAD_FAIL LIVE');
  });

  it('is given as it came for recorded cameras alone, once it is finished', () => {
    expect(all.some((one) => maySendSource(one, true))).toBe(false);
    for (const status of ['ADDING', 'ADDED', 'LIVE', 'LOADED', 'PROCESSING'] as const) {
      expect(maySendSource(status, false)).toBe(false);
    }
    for (const status of ['PROCESSED', 'MERGING', 'WAS_MERGED'] as const) {
      expect(maySendSource(status, false)).toBe(true);
    }
  });
});
