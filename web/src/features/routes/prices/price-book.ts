import type { RouteCost } from '@ridewatch/contract/costs';
import { editPrice, readPrice, showPrice } from './price-text.ts';

/** One price to be set; null takes it away. */
export interface PriceEdit {
  readonly from: number;
  readonly to: number;
  readonly cost: string | null;
  /** The price that was there when it was typed. */
  readonly basedOn: string | null;
}

/** A cell of the price table. */
export interface PriceCell {
  /** What the server has, as far as is known; null for no price. */
  readonly cost: string | null;
  /** What was typed and is not saved yet. */
  readonly typed?: string;
  /** What was typed and another user was faster than. */
  readonly own?: string;
  /** `wrong`: what was typed is no price; `taken`: another user set `cost` meanwhile. */
  readonly state: 'still' | 'saving' | 'saved' | 'failed' | 'wrong' | 'taken';
  /** Why it could not be saved. */
  readonly reason?: string;
}

export interface BookState {
  readonly saving: number;
  readonly failed: number;
  readonly wrong: number;
  readonly taken: number;
  /** Signs of the longest price, as it is shown. */
  readonly longest: number;
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
  /** A cell in which another user was faster. */
  firstTaken(): PriceCell | undefined;
  /** Where another user was faster: writes what was typed here all the same, or leaves the other's prices. */
  settleTaken(how: 'own' | 'theirs'): void;
  /** Sends at once whatever waits: the page is left. */
  leave(): void;
  /** More is unsaved than can be sent while the page is left. */
  mustAsk(): boolean;
  /** Calls the listener when that cell changes. */
  watchCell(from: number, to: number, listener: () => void): () => void;
  /** Calls the listener when `state` may have changed. */
  watch(listener: () => void): () => void;
}

/** The price that a cell shows: what was typed, also while it is on its way. */
export function shownCost({ cost, typed }: PriceCell): string | null {
  if (typed === undefined) return cost;
  const read = readPrice(typed);
  return read === undefined ? cost : read;
}

const NOTHING: PriceCell = { cost: null, state: 'still' };
const keyOf = (from: number, to: number): string => `${from}:${to}`;
const MOST_UNDO_STEPS = 50;
/** So many prices are a request that a browser sends while its page is left. */
const MOST_ON_LEAVING = 80;

/** What the table of a book needs of the world. */
export interface BookKeeping {
  /** Sends prices; one call at a time, what is typed meanwhile goes with the next one. */
  readonly save: (edits: readonly PriceEdit[]) => Promise<unknown>;
  /** Reads the table anew when a save failed because another user was faster; undefined when that is not why. */
  readonly readTaken: (error: unknown) => Promise<readonly RouteCost[] | undefined>;
  /** Says why a save failed, for people. */
  readonly reasonOf: (error: unknown) => string;
}

/** Keeps the prices of one table. */
export function createPriceBook({ save, readTaken, reasonOf }: BookKeeping): PriceBook {
  const cells = new Map<string, PriceCell>();
  const waiting = new Map<string, Omit<PriceEdit, 'basedOn'>>();
  /** What is on its way to the server. */
  let underWay = new Map<string, PriceEdit>();
  /** What was sent beside that because the page was left. */
  const left = new Set<string>();
  const cellListeners = new Map<string, Set<() => void>>();
  const listeners = new Set<() => void>();
  const steps: { from: number; to: number; text: string }[][] = [];
  let state: BookState = {
    saving: 0,
    failed: 0,
    wrong: 0,
    taken: 0,
    longest: 0,
    canUndo: false,
  };

  const cellOf = (from: number, to: number) => cells.get(keyOf(from, to)) ?? NOTHING;
  const put = (key: string, cell: PriceCell) => {
    cells.set(key, cell);
    for (const listener of cellListeners.get(key) ?? []) listener();
  };
  const tell = () => {
    const count = { saving: 0, failed: 0, wrong: 0, taken: 0 };
    let longest: string | null = null;
    for (const { state: one, cost } of cells.values()) {
      if (one !== 'still' && one !== 'saved') count[one] += 1;
      if (cost !== null && cost.length > (longest?.length ?? 0)) longest = cost;
    }
    state = { ...count, longest: showPrice(longest).length, canUndo: steps.length > 0 };
    for (const listener of listeners) listener();
  };

  const takeWaiting = (): Map<string, PriceEdit> => {
    const batch = [...waiting].map(([key, edit]): [string, PriceEdit] => {
      // Typed over what is on its way: that will be there.
      const before = underWay.get(key) ?? cells.get(key) ?? NOTHING;
      return [key, { ...edit, basedOn: before.cost }];
    });
    waiting.clear();
    return new Map(batch);
  };
  const send = async () => {
    if (underWay.size > 0 || waiting.size === 0) return;
    underWay = takeWaiting();
    let failure: { reason: string } | undefined;
    try {
      await save([...underWay.values()]);
    } catch (error) {
      failure = (await wasTaken(error)) ? undefined : { reason: reasonOf(error) };
    }
    for (const [key, { cost }] of underWay) {
      const cell = cells.get(key) ?? NOTHING;
      // Typed again meanwhile: what it is now is on its way.
      if (waiting.has(key) || left.has(key) || cell.state === 'wrong') {
        if (!failure) put(key, { ...cell, cost });
      } else if (failure) put(key, { ...cell, state: 'failed', ...failure });
      else put(key, { cost, state: 'saved' });
    }
    underWay = new Map();
    tell();
    void send();
  };
  // Of a call that met another user's prices nothing was saved: those cells show them, the others are sent anew.
  const wasTaken = async (error: unknown): Promise<boolean> => {
    // Where they cannot be read, the first error is what the cells say.
    const costs = await readTaken(error).catch(() => undefined);
    if (costs === undefined) return false;
    const now = new Map(costs.map((one) => [keyOf(one.from_stop_id, one.to_stop_id), one.cost]));
    const isTaken = ([key, { cost, basedOn }]: [string, PriceEdit]): boolean => {
      const there = now.get(key) ?? null;
      return there !== basedOn && there !== cost;
    };
    const taken = [...underWay].filter(isTaken);
    if (taken.length === 0) return false;
    for (const [key] of taken) {
      const { typed: own, ...cell } = cells.get(key) ?? NOTHING;
      const theirs = now.get(key) ?? null;
      waiting.delete(key);
      underWay.delete(key);
      if (own !== undefined) put(key, { ...cell, cost: theirs, own, state: 'taken' });
    }
    for (const [key, { basedOn, ...edit }] of underWay)
      if (!waiting.has(key)) waiting.set(key, edit);
    underWay.clear();
    return true;
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
      const isAtRest = (cell: PriceCell) => cell.state === 'still' || cell.state === 'saved';
      const before = new Set(cells.keys());
      for (const { from_stop_id: from, to_stop_id: to, cost } of costs) {
        const key = keyOf(from, to);
        before.delete(key);
        const cell = cells.get(key) ?? NOTHING;
        if (cell.cost === cost) continue;
        if (isAtRest(cell)) put(key, { cost, state: 'still' });
        else if (cell.state === 'taken') put(key, { ...cell, cost });
      }
      for (const key of before) {
        const cell = cells.get(key) ?? NOTHING;
        if (cell.cost === null) continue;
        if (isAtRest(cell)) put(key, NOTHING);
        else if (cell.state === 'taken') put(key, { ...cell, cost: null });
      }
      tell();
    },
    type(typed) {
      const before = typed.map(({ from, to }) => {
        const cell = cellOf(from, to);
        return { from, to, text: cell.typed ?? editPrice(cell.cost) };
      });
      const isOther = typed.some(({ text }, index) => text.trim() !== before[index]?.text);
      if (isOther) steps.push(before);
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
    firstTaken: () => [...cells.values()].find(({ state: one }) => one === 'taken'),
    settleTaken(how) {
      const taken = [...cells].filter(([, { state: one }]) => one === 'taken');
      for (const [key, { cost }] of taken) put(key, { cost, state: 'still' });
      const typed = taken.map(([key, { own: text = '' }]) => {
        const [from = 0, to = 0] = key.split(':').map(Number);
        return { from, to, text };
      });
      if (how === 'own') write(typed);
      else tell();
    },
    leave() {
      const rest = takeWaiting();
      if (rest.size === 0) return;
      for (const key of rest.keys()) left.add(key);
      const end = (outcomeOf: (cost: string | null, cell: PriceCell) => PriceCell) => {
        for (const [key, { cost }] of rest) {
          const cell = cells.get(key) ?? NOTHING;
          left.delete(key);
          if (cell.state === 'saving' && !waiting.has(key)) put(key, outcomeOf(cost, cell));
        }
        tell();
      };
      // Who comes back to the page finds what became of it.
      save([...rest.values()]).then(
        () => end((cost) => ({ cost, state: 'saved' })),
        (error) => {
          const reason = reasonOf(error);
          end((_, cell) => ({ ...cell, state: 'failed', reason }));
        },
      );
    },
    mustAsk: () => state.failed + state.wrong + state.taken > 0 || state.saving > MOST_ON_LEAVING,
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
