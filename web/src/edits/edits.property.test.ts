import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createEdits, type EditsOptions } from './edits.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const KEYS = ['fare', 'percent', 'shift'];
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('type'), key: fc.constantFrom(...KEYS) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('answer', 'fail') }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait'), ms: fc.nat(1500) }) },
  fc.record({ does: fc.constantFrom('leave', 'retry') }),
  fc.record({ does: fc.constant('flush'), key: fc.constantFrom(...KEYS) }),
);
type Step = { does: string; key?: string; ms?: number };

/**
 * Types, waits, leaves and answers as the steps say, then answers everything; returns what was typed and what arrived
 * last.
 */
async function run(steps: readonly Step[], options: Partial<EditsOptions<string, number>>) {
  const calls: ((isStored: boolean) => void)[] = [];
  const typed = new Map<string, number>();
  const arrived = new Map<string, number>();
  const edits = createEdits<string, number>({
    save: (batch) => {
      for (const { key, value } of batch) arrived.set(key, value);
      return new Promise<void>((resolve, reject) =>
        calls.push((isStored) => (isStored ? resolve() : reject(new Error('no answer')))),
      );
    },
    judge: () => ({ means: 'retry' }),
    ...options,
  });
  const perform = async ({ does, key = '', ms = 0 }: Step, number: number) => {
    if (does === 'type') {
      typed.set(key, number);
      edits.type([{ key, value: number, stored: -1 }]);
    }
    if (does === 'answer') calls.shift()?.(true);
    if (does === 'fail') calls.shift()?.(false);
    if (does === 'leave') edits.leave();
    if (does === 'retry') edits.retry();
    if (does === 'flush') edits.flush(key);
    await vi.advanceTimersByTimeAsync(ms);
  };
  for (const [number, one] of steps.entries()) await perform(one, number);
  for (let rounds = 0; rounds < 20; rounds += 1) {
    for (const answer of calls.splice(0)) answer(true);
    await vi.advanceTimersByTimeAsync(6_000);
  }
  const states = [...edits.drafts().values()].map(({ state }) => state);
  return { typed, arrived, states };
}

it.each([
  ['after a pause, each by itself', {}],
  ['at once, together', { saves: 'at-once', together: true }],
] as const)(
  'whatever happens meanwhile, what was typed last arrives last: %s',
  async (_, options) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { typed, arrived, states } = await run(steps, options);
        expect(arrived).toEqual(typed);
        expect(states.every((state) => state === 'saved')).toBe(true);
      }),
    );
  },
);
