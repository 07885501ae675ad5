import type { RouteCost } from '@ridewatch/contract/costs';
import type { Draft } from '../../../edits/draft-store.ts';
import type { Edits, EditsOptions } from '../../../edits/edits.ts';
import { editPrice, readPrice, showPrice } from './price-text.ts';

/** A price to set; null removes it. */
export interface PriceEdit {
  readonly from: number;
  readonly to: number;
  readonly cost: string | null;
  /** The price before the edit. */
  readonly seen: string | null;
}

/** A cell of the price table. */
export interface PriceCell {
  /** The last known price on the server; null for none. */
  readonly cost: string | null;
  /** The typed text that is not saved yet. */
  readonly typed?: string;
  /** The typed text of a conflict. */
  readonly own?: string;
  /** `wrong`: the text is not a price; `conflict`: another user set `cost` meanwhile. */
  readonly state: 'still' | 'saving' | 'saved' | 'failed' | 'wrong' | 'conflict';
  /** Why it was not saved. */
  readonly reason?: string | undefined;
}

export interface BookState {
  readonly saving: number;
  readonly failed: number;
  readonly wrong: number;
  readonly conflicts: number;
  /** Characters of the longest price. */
  readonly longest: number;
  /** There is something to undo. */
  readonly canUndo: boolean;
}

/** The prices of a route on a day, with unsaved edits. */
export interface PriceBook {
  cellOf(from: number, to: number): PriceCell;
  state(): BookState;
  /** Takes the server's prices; cells with edits stay. */
  load(costs: readonly RouteCost[]): void;
  /** Enters texts into cells; those that are prices are sent at once, in one call. */
  type(typed: readonly { from: number; to: number; text: string }[]): void;
  /** Sends failed edits again. */
  retry(): void;
  /** Undoes the last input, paste or filling. */
  undo(): boolean;
  /** A cell with a conflict. */
  firstConflict(): PriceCell | undefined;
  /** Ends all conflicts: overwrites the other prices, or keeps them. */
  settleConflicts(how: 'own' | 'theirs'): void;
  /** Calls the listener when that cell changes; returns a function that unsubscribes. */
  watchCell(from: number, to: number, listener: () => void): () => void;
  /** Calls the listener when `state` may have changed; returns a function that unsubscribes. */
  watch(listener: () => void): () => void;
}

/** The price that a cell shows: the typed one, also while it is being saved. */
export function shownCost({ cost, typed }: PriceCell): string | null {
  if (typed === undefined) return cost;
  const read = readPrice(typed);
  return read === undefined ? cost : read;
}

/** Edits of price texts, by ride. */
export type PriceEdits = Edits<string, string>;

const NOTHING: PriceCell = { cost: null, state: 'still' };
const MOST_UNDO_STEPS = 50;
const rideKey = (from: number, to: number): string => `${from}:${to}`;
const costOf = (text: string): string | null => readPrice(text) ?? null;

/** The calls that price edits need. */
export interface PriceCalls {
  /** Stores prices; rejects if it fails. */
  readonly save: (edits: readonly PriceEdit[]) => Promise<unknown>;
  /** Reads the prices again after a conflict; undefined if the error is another one. */
  readonly readAfterConflict: (error: unknown) => Promise<readonly RouteCost[] | undefined>;
  /** Explains a failure to the user. */
  readonly reasonOf: (error: unknown) => string;
}

/** Options of price edits: save on every change, all waiting prices in one call. */
export function priceOptions(calls: PriceCalls): EditsOptions<string, string> {
  return {
    saves: 'at-once',
    together: true,
    isSame: (a, b) => readPrice(a) === readPrice(b),
    problemOf: (text) => (readPrice(text) === undefined ? text : undefined),
    save: (edits) =>
      calls.save(
        edits.map(({ key, value, seen }) => {
          const [from = 0, to = 0] = key.split(':').map(Number);
          return { from, to, cost: costOf(value), seen: costOf(seen) };
        }),
      ),
    async judge(error) {
      const reason = calls.reasonOf(error);
      // If the table cannot be read, the cells show the first error.
      const costs = await calls.readAfterConflict(error).catch(() => undefined);
      if (costs === undefined) return { means: 'keep', reason };
      const now = new Map(
        costs.map((one) => [rideKey(one.from_stop_id, one.to_stop_id), one.cost]),
      );
      return { means: 'conflict', reason, stored: (key) => editPrice(now.get(key) ?? null) };
    },
  };
}

/** Makes the book of one price table on top of its edits. */
export function createPriceBook(edits: PriceEdits): PriceBook {
  const costs = new Map<string, string>();
  const cells = new Map<string, { draft?: Draft<string> | undefined; cell: PriceCell }>();
  const cellListeners = new Map<string, Set<() => void>>();
  const listeners = new Set<() => void>();
  const steps: { from: number; to: number; text: string }[][] = [];
  let state = stateOfPrice(edits, costs, false);

  const setCost = (key: string, cost: string | null): void => {
    if (cost === null) costs.delete(key);
    else costs.set(key, cost);
    for (const listener of cellListeners.get(key) ?? []) listener();
  };
  const notify = (): void => {
    state = stateOfPrice(edits, costs, steps.length > 0);
    for (const listener of listeners) listener();
  };
  const stored = new WeakSet<Draft<string>>();
  edits.subscribe(() => {
    for (const [key, draft] of edits.drafts()) {
      if (draft.state !== 'saved' || stored.has(draft)) continue;
      stored.add(draft);
      setCost(key, costOf(draft.value));
    }
    notify();
  });

  const cellAt = (key: string): PriceCell => {
    const draft = edits.draftOf(key);
    const cost = costs.get(key) ?? null;
    if (!draft && cost === null) return NOTHING;
    const cell = cellFrom(draft, cost);
    const known = cells.get(key);
    // Return the same object while nothing changes, so that components do not render again.
    if (known && known.draft === draft && known.cell.cost === cell.cost) return known.cell;
    cells.set(key, { draft, cell });
    return cell;
  };
  const write = (typed: readonly { from: number; to: number; text: string }[]): void => {
    edits.type(
      typed.map(({ from, to, text }) => {
        const key = rideKey(from, to);
        return { key, value: text, stored: editPrice(costs.get(key) ?? null) };
      }),
    );
    notify();
  };

  return {
    cellOf: (from, to) => cellAt(rideKey(from, to)),
    state: () => state,
    load(loaded) {
      const before = new Set(costs.keys());
      const take = (key: string, cost: string | null) => {
        if ((costs.get(key) ?? null) !== cost) setCost(key, cost);
        edits.hear(key, editPrice(cost));
      };
      for (const { from_stop_id, to_stop_id, cost } of loaded) {
        const key = rideKey(from_stop_id, to_stop_id);
        before.delete(key);
        take(key, cost);
      }
      for (const key of before) take(key, null);
      notify();
    },
    type(typed) {
      const before = typed.map(({ from, to }) => {
        const cell = cellAt(rideKey(from, to));
        return { from, to, text: cell.typed ?? editPrice(cell.cost) };
      });
      const isOther = typed.some(({ text }, index) => text.trim() !== before[index]?.text);
      if (isOther) steps.push(before);
      if (steps.length > MOST_UNDO_STEPS) steps.shift();
      write(typed);
    },
    retry: edits.retry,
    undo() {
      const last = steps.pop();
      if (last) write(last);
      return last !== undefined;
    },
    firstConflict() {
      const [key] = [...edits.drafts()].find(([, draft]) => draft.state === 'conflict') ?? [];
      return key === undefined ? undefined : cellAt(key);
    },
    settleConflicts(how) {
      for (const [key, { state: one, seen }] of edits.drafts()) {
        if (one === 'conflict') setCost(key, costOf(seen));
      }
      edits.settle(how);
    },
    watchCell(from, to, listener) {
      const key = rideKey(from, to);
      const own = cellListeners.get(key) ?? new Set();
      cellListeners.set(key, own.add(listener));
      const end = edits.subscribe(listener, key);
      return () => {
        own.delete(listener);
        end();
      };
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function cellFrom(draft: Draft<string> | undefined, cost: string | null): PriceCell {
  if (!draft) return { cost, state: 'still' };
  const { value, seen, reason } = draft;
  switch (draft.state) {
    case 'saved':
      return { cost: costOf(value), state: 'saved' };
    case 'conflict':
      return { cost: costOf(seen), own: value, state: 'conflict' };
    case 'invalid':
      return { cost: costOf(seen), typed: value, state: 'wrong' };
    case 'failed':
      return { cost: costOf(seen), typed: value, state: 'failed', reason };
    case 'typing':
    case 'saving':
      return { cost: costOf(seen), typed: value, state: 'saving' };
  }
}

function stateOfPrice(
  edits: PriceEdits,
  costs: ReadonlyMap<string, string>,
  canUndo: boolean,
): BookState {
  const count = { typing: 0, invalid: 0, saving: 0, saved: 0, failed: 0, conflict: 0 };
  for (const draft of edits.drafts().values()) count[draft.state] += 1;
  let longest: string | null = null;
  for (const cost of costs.values()) if (cost.length > (longest?.length ?? 0)) longest = cost;
  return {
    saving: count.typing + count.saving,
    failed: count.failed,
    wrong: count.invalid,
    conflicts: count.conflict,
    longest: showPrice(longest).length,
    canUndo,
  };
}
