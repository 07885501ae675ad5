import type { Camera } from '@ridewatch/contract/buses';
import type { FragmentStatus } from '@ridewatch/contract/fragment-states';
import type { Fragment } from '@ridewatch/contract/fragments';
import { expect, it } from 'vitest';
import { fragmentAt, mergedRow } from './merged-row.ts';

const camera = { id: 1, name: 'Салон', live: true } as Camera;
const at = (minute: number): string => new Date(minute * 60_000).toISOString();
const fragment = (id: number, from: number, to: number, status: FragmentStatus = 'LOADED') =>
  ({ id, start_time: at(from), end_time: at(to), status }) as Fragment;
const spansOf = (fragments: Fragment[], selectedId?: number) =>
  mergedRow(camera, fragments, selectedId).blocks.map(({ startMs, endMs, kind }) => [
    startMs / 60_000,
    endMs / 60_000,
    kind,
  ]);

it('shows fragments that follow each other as one recording', () => {
  expect(spansOf([fragment(1, 0, 1), fragment(2, 1, 4), fragment(3, 10, 11)])).toEqual([
    [0, 4, 'processed'],
    [10, 11, 'processed'],
  ]);
});

it('tells apart what is still on the registrar', () => {
  expect(
    spansOf([fragment(1, 0, 1), fragment(2, 1, 4, 'LIVE'), fragment(3, 4, 7, 'LIVE')]),
  ).toEqual([
    [0, 1, 'processed'],
    [1, 7, 'live'],
  ]);
});

it('tells apart what was cancelled, which is no failure', () => {
  const cancelled = { ...fragment(2, 1, 4, 'DOWNLOAD_FAIL'), fail_reason: 'cancelled' } as Fragment;
  expect(spansOf([fragment(1, 0, 1), cancelled, fragment(3, 4, 7, 'DOWNLOAD_FAIL')])).toEqual([
    [0, 1, 'processed'],
    [1, 4, 'cancelled'],
    [4, 7, 'error'],
  ]);
});

it('keeps the chosen fragment in sight', () => {
  expect(spansOf([fragment(1, 0, 1), fragment(2, 1, 4), fragment(3, 4, 7)], 2)).toEqual([
    [0, 1, 'processed'],
    [1, 4, 'processed'],
    [4, 7, 'processed'],
  ]);
});

it('finds the fragment under a moment, or near it', () => {
  const fragments = [fragment(1, 0, 1), fragment(2, 10, 11)];
  expect(fragmentAt(fragments, 30_000, 0)?.id).toBe(1);
  expect(fragmentAt(fragments, 9.9 * 60_000, 10_000)?.id).toBe(2);
  expect(fragmentAt(fragments, 5 * 60_000, 10_000)).toBeUndefined();
});
