import { describe, expect, it } from 'vitest';
import type { TerminalAnswer } from './requests.ts';
import { createSignIns } from './sign-ins.ts';
import { createTerminals, type Terminals } from './terminals.ts';

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

it('a terminal that signs in again where it is is news to nobody, and in another connection it is', () => {
  const news: number[] = [];
  const terminals = createTerminals((_, atMs) => void news.push(atMs));
  const [one, other] = [createSignIns(terminals), createSignIns(terminals)];
  const signIn = (signIns: typeof one, atMs: number): void =>
    signIns.add('139', { unitId: 1, ask: async () => ({ kind: 'result', result: atMs }), atMs });
  for (const atMs of [10, 11, 12]) signIn(one, atMs);
  expect(news).toEqual([10]);
  signIn(other, 20);
  signIn(one, 30);
  terminals.isElsewhere(1, 40);
  signIn(one, 50);
  one.remove('139');
  signIn(one, 60);
  expect(news).toEqual([10, 20, 30, 50, 60]);
});

it('a terminal that signs in again where it is may not have got what it was asked before', async () => {
  const terminals = createTerminals();
  const signIns = createSignIns(terminals);
  const pending = Promise.withResolvers<TerminalAnswer>();
  signIns.add('139', { unitId: 1, ask: () => pending.promise, atMs: 0 });
  const before = terminals.ask(1, request);
  signIns.add('139', { unitId: 1, ask: async () => ({ kind: 'silence' }), atMs: 1 });
  pending.resolve({ kind: 'silence' });
  expect(await before).toBeUndefined();
  expect(await terminals.ask(1, request)).toEqual({ kind: 'silence' });
});

describe('a terminal that is signed in in two connections of which the later one ends', () => {
  const signedIn = (name: string, atMs: number) => ({
    ...{ unitId: 1, atMs },
    ask: async () => ({ kind: 'message', body: Buffer.from(name) }) as const,
  });
  const asked = async (terminals: Terminals): Promise<string | undefined> => {
    const answer = await terminals.ask(1, request);
    return answer?.kind === 'message' ? answer.body.toString() : answer?.kind;
  };
  const twoOf = () => {
    const news: number[] = [];
    const terminals = createTerminals((_, atMs) => void news.push(atMs));
    const [first, second] = [createSignIns(terminals), createSignIns(terminals)];
    first.add('139', signedIn('first', 10));
    second.add('139', signedIn('second', 20));
    return { news, terminals, first, second };
  };

  it('is in the first one again once a message shows that this one lives, and it is news', async () => {
    const { news, terminals, first, second } = twoOf();
    expect(first.heard('139', 1)).toBe(true);
    expect(await asked(terminals)).toBe('second');
    second.clear();
    expect([terminals.has(1), await asked(terminals)]).toEqual([false, undefined]);
    expect(first.heard('139', 1)).toBe(true);
    expect([terminals.has(1), await asked(terminals)]).toEqual([true, 'first']);
    expect(first.heard('139', 1)).toBe(true);
    expect(news).toEqual([10, 20, 10]);
    first.clear();
    expect(terminals.has(1)).toBe(false);
  });

  it('is not there again when it has signed in at another process since', async () => {
    const { news, terminals, first, second } = twoOf();
    terminals.isElsewhere(1, 15);
    expect(await asked(terminals)).toBe('second');
    second.clear();
    expect([first.heard('139', 1), terminals.has(1)]).toEqual([true, false]);
    first.add('139', signedIn('first', 30));
    expect(await asked(terminals)).toBe('first');
    expect(news).toEqual([10, 20, 30]);
  });
});
