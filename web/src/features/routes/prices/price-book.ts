import type { RouteCost } from '@ridewatch/contract/costs';
import { editPrice, readPrice } from './price-text.ts';

/** One price to be set; null takes it away. */
export interface PriceEdit {
  readonly from: number;
  readonly to: number;
  readonly cost: string | null;
}

/** A cell of the price table. */
export interface PriceCell {
  /** What the server has, as far as is known; null for no price. */
  readonly cost: string | null;
  /** What was typed and is not saved yet. */
  readonly typed?: string;
  /** `wrong`: what was typed is no price. */
  readonly state: 'still' | 'saving' | 'saved' | 'failed' | 'wrong';
  /** Why it could not be saved. */
  readonly reason?: string;
}

export interface BookState {
  readonly saving: number;
  readonly failed: number;
  readonly wrong: number;
  /** There is something to take back. */
  readonly canUndo: boolean;
}

/** The prices of a route on a day, with what is on its way to the server. */
export interface PriceBook {
  cellOf(from: number, to: number): PriceCell;
  state(): BookState;
  /** Takes over what the server has; cells that are being changed stay. */
  load(costs: readonly RouteCost[]): void;
  /** Types texts into cells; what is a price goes to the server at once, together. */
  type(typed: readonly { from: number; to: number; text: string }[]): void;
  /** Sends what failed again. */
  retry(): void;
  /** Takes back the last typing, paste or filling. */
  undo(): boolean;
  /** Calls the listener when that cell changes. */
  watchCell(from: number, to: number, listener: () => void): () => void;
  /** Calls the listener when `state` may have changed. */
  watch(listener: () => void): () => void;
}

const NOTHING: PriceCell = { cost: null, state: 'still' };
const keyOf = (from: number, to: number): string => `${from}:${to}`;
const MOST_UNDO_STEPS = 50;

/**
 * Keeps the prices of one table.
 * @param save sends prices; one call at a time, what is typed meanwhile goes with the next one
 * @param reasonOf says why a save failed, for people
 */
export function createPriceBook(
  save: (edits: readonly PriceEdit[]) => Promise<unknown>,
  reasonOf: (error: unknown) => string,
): PriceBook {
  const cells = new Map<string, PriceCell>();
  const waiting = new Map<string, PriceEdit>();
  const cellListeners = new Map<string, Set<() => void>>();
  const listeners = new Set<() => void>();
  const steps: { from: number; to: number; text: string }[][] = [];
  let isSending = false;
  let state: BookState = { saving: 0, failed: 0, wrong: 0, canUndo: false };

  const cellOf = (from: number, to: number) => cells.get(keyOf(from, to)) ?? NOTHING;
  const put = (key: string, cell: PriceCell) => {
    cells.set(key, cell);
    for (const listener of cellListeners.get(key) ?? []) listener();
  };
  const tell = () => {
    const count = { saving: 0, failed: 0, wrong: 0 };
    for (const { state: one } of cells.values()) {
      if (one === 'saving' || one === 'failed' || one === 'wrong') count[one] += 1;
    }
    state = { ...count, canUndo: steps.length > 0 };
    for (const listener of listeners) listener();
  };

  const send = async () => {
    if (isSending || waiting.size === 0) return;
    isSending = true;
    const batch = [...waiting];
    waiting.clear();
    let failure: { reason: string } | undefined;
    try {
      await save(batch.map(([, edit]) => edit));
    } catch (error) {
      failure = { reason: reasonOf(error) };
    }
    for (const [key, { cost }] of batch) {
      const cell = cells.get(key) ?? NOTHING;
      // Typed again meanwhile: what it is now is on its way.
      if (waiting.has(key) || cell.state === 'wrong') {
        if (!failure) put(key, { ...cell, cost });
      } else if (failure) put(key, { ...cell, state: 'failed', ...failure });
      else put(key, { cost, state: 'saved' });
    }
    isSending = false;
    tell();
    void send();
  };

  const write = (typed: readonly { from: number; to: number; text: string }[]) => {
    for (const { from, to, text } of typed) {
      const key = keyOf(from, to);
      const { cost: known, state: was } = cellOf(from, to);
      const cost = readPrice(text);
      if (cost === undefined) {
        waiting.delete(key);
        put(key, { cost: known, typed: text, state: 'wrong' });
      } else if (cost === known && was !== 'saving') {
        waiting.delete(key);
        put(key, { cost: known, state: was === 'saved' ? 'saved' : 'still' });
      } else {
        waiting.set(key, { from, to, cost });
        put(key, { cost: known, typed: text, state: 'saving' });
      }
    }
    tell();
    void send();
  };

  return {
    cellOf,
    state: () => state,
    load(costs) {
      const known = new Map(costs.map((one) => [keyOf(one.from_stop_id, one.to_stop_id), one]));
      const isAtRest = (cell: PriceCell) => cell.state === 'still' || cell.state === 'saved';
      for (const [key, cell] of cells) {
        if (isAtRest(cell) && !known.has(key) && cell.cost !== null) put(key, NOTHING);
      }
      for (const [key, { cost }] of known) {
        const cell = cells.get(key) ?? NOTHING;
        if (isAtRest(cell) && cell.cost !== cost) put(key, { cost, state: 'still' });
      }
      tell();
    },
    type(typed) {
      const before = typed.map(({ from, to }) => {
        const cell = cellOf(from, to);
        return { from, to, text: cell.typed ?? editPrice(cell.cost) };
      });
      steps.push(before);
      if (steps.length > MOST_UNDO_STEPS) steps.shift();
      write(typed);
    },
    retry() {
      for (const [key, cell] of cells) {
        const [from = 0, to = 0] = key.split(':').map(Number);
        const cost = readPrice(cell.typed ?? '');
        if (cell.state !== 'failed' || cost === undefined) continue;
        waiting.set(key, { from, to, cost });
        const { reason: _, ...rest } = cell;
        put(key, { ...rest, state: 'saving' });
      }
      tell();
      void send();
    },
    undo() {
      const last = steps.pop();
      if (last) write(last);
      return last !== undefined;
    },
    watchCell(from, to, listener) {
      const key = keyOf(from, to);
      const own = cellListeners.get(key) ?? new Set();
      cellListeners.set(key, own.add(listener));
      return () => own.delete(listener);
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
