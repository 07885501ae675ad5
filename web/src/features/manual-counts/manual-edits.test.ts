import type { Fragment } from '@ridewatch/contract/fragments';
import { expect, it } from 'vitest';
import { createEdits } from '../../edits/edits.ts';
import { areSameCounts, readCount, type TypedCounts, typeCount } from './manual-edits.ts';

const none = { adult: null, kids: null };
const fragment = { id: 7, entered_manual: none, exited_manual: none } as Fragment;

it('a typed count is sent with those of the fragment that were typed before, and what was seen', () => {
  const sent: unknown[] = [];
  const edits = createEdits<number, TypedCounts>({
    save: async (batch) => sent.push(...batch),
    judge: () => ({ means: 'discard' }),
  });
  typeCount(edits, fragment, 'entered_manual', 'adult', 12);
  typeCount(edits, fragment, 'exited_manual', 'kids', 3);
  edits.leave();
  const value = {
    entered_manual: { adult: 12, kids: null },
    exited_manual: { adult: null, kids: 3 },
  };
  expect(sent).toEqual([{ key: 7, value, seen: { entered_manual: none, exited_manual: none } }]);
});

it('a typed count that was erased again is not sent', () => {
  const sent: unknown[] = [];
  const edits = createEdits<number, TypedCounts>({
    save: async (batch) => sent.push(...batch),
    judge: () => ({ means: 'discard' }),
    isSame: areSameCounts,
  });
  typeCount(edits, fragment, 'entered_manual', 'adult', 7);
  typeCount(edits, fragment, 'entered_manual', 'adult', null);
  edits.flush(fragment.id);
  expect(sent).toEqual([]);
  expect(edits.draftOf(fragment.id)).toBeUndefined();
});

it.each([
  ['12', 12],
  ['1a2', 12],
  [' 7 ', 7],
  ['', null],
  ['f', null],
  ['5.7', '5.7'],
  ['5,', '5,'],
  ['-3', '-3'],
])('a count that is typed as %j is read as %j', (text, count) => {
  expect(readCount(text)).toBe(count);
});
