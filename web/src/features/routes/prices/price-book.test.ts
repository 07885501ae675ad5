import type { RouteCost } from '@ridewatch/contract/costs';
import { describe, expect, it, vi } from 'vitest';
import { createEdits } from '../../../edits/edits.ts';
import { createPriceBook, type PriceEdit, priceOptions, shownCost } from './price-book.ts';

const cost = (from: number, to: number, roubles: string): RouteCost => ({
  id: from * 100 + to,
  route_cost_id: from * 100 + to,
  from_stop_id: from,
  to_stop_id: to,
  cost: roubles,
  group_id: 1,
});

const CONFLICT = 'another one was faster';
const reasonOf = (error: unknown) => (error as Error).message;

/** A server that answers when told to. */
function farEnd() {
  const calls: {
    edits: readonly PriceEdit[];
    answer: () => void;
    refuse: (message?: string) => void;
  }[] = [];
  const tables: RouteCost[][] = [];
  const save = (edits: readonly PriceEdit[]) =>
    new Promise<void>((resolve, reject) => {
      const refuse = (message = 'нет прав') => reject(new Error(message));
      calls.push({ edits, answer: resolve, refuse });
    });
  const readAfterConflict = async (error: unknown) =>
    reasonOf(error) === CONFLICT ? tables.shift() : undefined;
  const edits = createEdits(priceOptions({ save, readAfterConflict, reasonOf }));
  const book = createPriceBook(edits);
  book.load([cost(1, 2, '45.00')]);
  return { book, edits, calls, tables };
}
const settled = (book: ReturnType<typeof farEnd>['book'], state: string) =>
  vi.waitFor(() => expect(book.cellOf(1, 2).state).toBe(state));

describe('a price that is typed', () => {
  it('is saving at once and saved when the server says so', async () => {
    const { book, calls } = farEnd();
    book.type([{ from: 1, to: 2, text: '50' }]);
    expect(book.cellOf(1, 2)).toEqual({ cost: '45.00', typed: '50', state: 'saving' });
    expect(calls[0]?.edits).toEqual([{ from: 1, to: 2, cost: '50.00', seen: '45.00' }]);
    calls[0]?.answer();
    await settled(book, 'saved');
    expect(book.cellOf(1, 2)).toEqual({ cost: '50.00', state: 'saved' });
  });

  it('is not sent when it is the price that is there', () => {
    const { book, calls } = farEnd();
    book.type([{ from: 1, to: 2, text: '45,0' }]);
    expect([book.cellOf(1, 2).state, calls.length]).toEqual(['still', 0]);
  });

  it('is taken away when the field is emptied', async () => {
    const { book, calls } = farEnd();
    book.type([{ from: 1, to: 2, text: '' }]);
    expect(calls[0]?.edits).toEqual([{ from: 1, to: 2, cost: null, seen: '45.00' }]);
    calls[0]?.answer();
    await settled(book, 'saved');
    expect(book.cellOf(1, 2).cost).toBeNull();
  });

  it('stays as typed, with the reason, when the server refuses it, and can be sent again', async () => {
    const { book, calls } = farEnd();
    book.type([{ from: 1, to: 2, text: '50' }]);
    calls[0]?.refuse();
    await settled(book, 'failed');
    expect(book.cellOf(1, 2)).toEqual({
      cost: '45.00',
      typed: '50',
      state: 'failed',
      reason: 'нет прав',
    });
    expect(book.state().failed).toBe(1);
    book.retry();
    calls[1]?.answer();
    await settled(book, 'saved');
    expect(book.cellOf(1, 2).cost).toBe('50.00');
  });

  it('stays as typed and is not sent when it is no price', () => {
    const { book, calls } = farEnd();
    book.type([{ from: 1, to: 2, text: 'сорок' }]);
    expect(book.cellOf(1, 2)).toEqual({ cost: '45.00', typed: 'сорок', state: 'wrong' });
    expect(calls).toHaveLength(0);
  });

  it('goes with the next call when another one is under way, and the last word counts', async () => {
    const { book, calls } = farEnd();
    book.type([{ from: 1, to: 2, text: '50' }]);
    book.type([{ from: 1, to: 2, text: '55' }]);
    book.type([{ from: 2, to: 3, text: '60' }]);
    book.type([{ from: 1, to: 2, text: '57' }]);
    expect(calls).toHaveLength(1);
    calls[0]?.answer();
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]?.edits).toEqual([
      { from: 1, to: 2, cost: '57.00', seen: '50.00' },
      { from: 2, to: 3, cost: '60.00', seen: null },
    ]);
    calls[1]?.answer();
    await settled(book, 'saved');
    expect(book.cellOf(1, 2).cost).toBe('57.00');
  });

  it('typed back to what it was while the change is under way is sent back too', async () => {
    const { book, calls } = farEnd();
    book.type([{ from: 1, to: 2, text: '50' }]);
    book.type([{ from: 1, to: 2, text: '45' }]);
    calls[0]?.answer();
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]?.edits).toEqual([{ from: 1, to: 2, cost: '45.00', seen: '50.00' }]);
  });
});

describe('the price table', () => {
  it('sends a pasted block in one call and takes it back in one step', async () => {
    const { book, calls } = farEnd();
    book.type([
      { from: 1, to: 2, text: '50' },
      { from: 1, to: 3, text: '60' },
    ]);
    expect(calls[0]?.edits).toHaveLength(2);
    calls[0]?.answer();
    await settled(book, 'saved');
    expect(book.undo()).toBe(true);
    expect(calls[1]?.edits).toEqual([
      { from: 1, to: 2, cost: '45.00', seen: '50.00' },
      { from: 1, to: 3, cost: null, seen: '60.00' },
    ]);
    calls[1]?.answer();
    await vi.waitFor(() => expect(book.cellOf(1, 3).cost).toBeNull());
    expect(book.undo()).toBe(false);
  });

  it('takes over what the server has, but not over what is being changed', () => {
    const { book } = farEnd();
    book.type([{ from: 1, to: 2, text: '50' }]);
    book.load([cost(1, 2, '47.00'), cost(2, 3, '30.00')]);
    expect(book.cellOf(1, 2).typed).toBe('50');
    expect(book.cellOf(2, 3).cost).toBe('30.00');
    book.load([]);
    expect(book.cellOf(2, 3).cost).toBeNull();
  });

  it('tells only the cells that change', () => {
    const { book } = farEnd();
    const one = vi.fn();
    const other = vi.fn();
    book.watchCell(1, 2, one);
    book.watchCell(2, 3, other);
    book.type([{ from: 1, to: 2, text: '50' }]);
    expect([one.mock.calls.length, other.mock.calls.length]).toEqual([1, 0]);
  });
});

describe('a price that another user set meanwhile', () => {
  const twoTyped = async () => {
    const far = farEnd();
    far.book.type([
      { from: 1, to: 2, text: '50' },
      { from: 1, to: 3, text: '60' },
    ]);
    far.tables.push([cost(1, 2, '47.00')]);
    far.calls[0]?.refuse(CONFLICT);
    await settled(far.book, 'conflict');
    return far;
  };

  it("shows the other's price with one's own beside it; what nobody else touched is saved", async () => {
    const { book, edits, calls } = await twoTyped();
    expect(book.cellOf(1, 2)).toEqual({ cost: '47.00', own: '50', state: 'conflict' });
    expect([book.state().conflicts, edits.mustAsk()]).toEqual([1, true]);
    expect(calls[1]?.edits).toEqual([{ from: 1, to: 3, cost: '60.00', seen: null }]);
    calls[1]?.answer();
    await vi.waitFor(() => expect(book.cellOf(1, 3).state).toBe('saved'));
  });

  it('is written over when that is said, with what is there now', async () => {
    const { book, calls } = await twoTyped();
    calls[1]?.answer();
    await vi.waitFor(() => expect(book.cellOf(1, 3).state).toBe('saved'));
    book.settleConflicts('own');
    expect(calls[2]?.edits).toEqual([{ from: 1, to: 2, cost: '50.00', seen: '47.00' }]);
    calls[2]?.answer();
    await settled(book, 'saved');
    expect([book.cellOf(1, 2).cost, book.state().conflicts]).toEqual(['50.00', 0]);
  });

  it('may stay', async () => {
    const { book, calls } = await twoTyped();
    book.settleConflicts('theirs');
    expect(book.cellOf(1, 2)).toEqual({ cost: '47.00', state: 'still' });
    expect([calls.length, book.state().conflicts]).toEqual([2, 0]);
  });

  it('is no reason to ask again and again when the table does not show it', async () => {
    const { book, calls, tables } = farEnd();
    book.type([{ from: 1, to: 2, text: '50' }]);
    tables.push([cost(1, 2, '45.00')]);
    calls[0]?.refuse(CONFLICT);
    await settled(book, 'failed');
    expect(calls).toHaveLength(1);
  });
});

describe('a page that is left', () => {
  it('sends what waits without waiting for what is under way', async () => {
    const { book, edits, calls } = farEnd();
    book.type([{ from: 1, to: 2, text: '50' }]);
    book.type([{ from: 1, to: 2, text: '55' }]);
    edits.leave();
    expect(calls[1]?.edits).toEqual([{ from: 1, to: 2, cost: '55.00', seen: '50.00' }]);
    calls[0]?.answer();
    calls[1]?.answer();
    await settled(book, 'saved');
    expect(book.cellOf(1, 2).cost).toBe('55.00');
    edits.leave();
    expect(calls).toHaveLength(2);
  });

  it('is asked about when something is no price, refused, or more than can be sent then', async () => {
    const { book, edits, calls } = farEnd();
    expect(edits.mustAsk()).toBe(false);
    book.type([{ from: 1, to: 2, text: '50' }]);
    expect(edits.mustAsk()).toBe(false);
    calls[0]?.refuse();
    await settled(book, 'failed');
    expect(edits.mustAsk()).toBe(true);
    const all = Array.from({ length: 100 }, (_, n) => ({ from: 2, to: 10 + n, text: '30' }));
    const other = farEnd();
    other.book.type(all);
    expect(other.edits.mustAsk()).toBe(true);
  });
});

it('a price that is left as it was is nothing to take back', () => {
  const { book } = farEnd();
  book.type([{ from: 1, to: 2, text: '45,00' }]);
  expect(book.state().canUndo).toBe(false);
  book.type([{ from: 1, to: 2, text: '46' }]);
  expect(book.state().canUndo).toBe(true);
});

it('a price on its way is copied as it was typed', () => {
  const { book } = farEnd();
  book.type([{ from: 1, to: 2, text: '50' }]);
  expect(shownCost(book.cellOf(1, 2))).toBe('50.00');
  book.type([{ from: 1, to: 2, text: 'сорок' }]);
  expect(shownCost(book.cellOf(1, 2))).toBe('45.00');
});
