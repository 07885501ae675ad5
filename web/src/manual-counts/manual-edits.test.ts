import type { Fragment } from '@ridewatch/contract/fragments';
import { expect, it } from 'vitest';
import { createEdits } from '../edits/edits.ts';
import { type ManualCounts, typeCount } from './manual-edits.ts';

const none = { adult: null, kids: null };
const fragment = { id: 7, entered_manual: none, exited_manual: none } as Fragment;

it('a typed count is sent with those of the fragment that were typed before, and what was seen', () => {
  const sent: unknown[] = [];
  const edits = createEdits<number, ManualCounts>({
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
