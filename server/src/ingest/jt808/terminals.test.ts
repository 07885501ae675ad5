import { expect, it } from 'vitest';
import type { TerminalAnswer } from './requests.ts';
import { createTerminals } from './terminals.ts';

const request = { id: 0x9206, body: Buffer.alloc(0), waitMs: 1 };

it('a terminal that is silent is told apart from one that has left or has connected again', async () => {
  const terminals = createTerminals();
  const pending: ((answer: TerminalAnswer) => void)[] = [];
  const ask = () =>
    new Promise<TerminalAnswer | undefined>((resolve) => void pending.push(resolve));
  const again = () => ask();
  const end = async (answer: Promise<unknown>): Promise<unknown> => {
    pending.shift()?.({ kind: 'silence' });
    return answer;
  };
  terminals.add(1, ask, 0);
  expect(await end(terminals.ask(1, request))).toEqual({ kind: 'silence' });
  const before = terminals.ask(1, request);
  terminals.add(1, again, 10);
  expect(await end(before)).toBeUndefined();
  const meanwhile = terminals.ask(1, request);
  terminals.isElsewhere(1, 5);
  expect(await end(meanwhile)).toEqual({ kind: 'silence' });
  const last = terminals.ask(1, request);
  terminals.isElsewhere(1, 20);
  expect(await end(last)).toBeUndefined();
  expect([terminals.has(1), await terminals.ask(1, request)]).toEqual([false, undefined]);
});
