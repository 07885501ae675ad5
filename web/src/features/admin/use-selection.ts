import { MOST_SEVERAL } from '@ridewatch/contract/admin-several';
import { useState } from 'react';
import type { ListQuery, Page } from './section.ts';
import { PAGE_ROWS, type Rows } from './use-rows.ts';

/** Rows that are chosen for one change of all of them. */
export interface Selection<Row> {
  readonly rows: ReadonlyMap<number, Row>;
  /** Chooses a row or leaves it out; with `isRange` all from the last one on, or it alone where none was the last. */
  readonly toggle: (index: number, isRange: boolean) => void;
  /** Chooses all rows that are found, as many as one change takes, or none. */
  readonly toggleAll: () => void;
  /** Chooses these rows no more. */
  readonly leave: (ids: ReadonlySet<number>) => void;
  readonly clear: () => void;
}

interface Held<Row> {
  /** The search, filters and order of the list. */
  readonly key: string;
  readonly rows: ReadonlyMap<number, Row>;
  /** The index of the row that was chosen or left out last; undefined: none was since the choice began. */
  readonly last: number | undefined;
}

/** The chosen rows of a list; another search, filter or order chooses none. */
export function useSelection<Row extends { readonly id: number }>(
  rows: Rows<Row>,
  list: (query: ListQuery, signal: AbortSignal) => Promise<Page<Row>>,
  query: ListQuery,
): Selection<Row> {
  const key = JSON.stringify(query);
  const heldOf = (next: Iterable<readonly [number, Row]>, last?: number): Held<Row> => ({
    ...{ key, last, rows: new Map([...next].slice(0, MOST_SEVERAL)) },
  });
  const [held, setHeld] = useState(() => heldOf([]));
  // A choice ends with its search: hidden, it would be there again when somebody returns to that.
  if (held.key !== key) setHeld(heldOf([]));
  const chosen = held.rows;
  return {
    rows: chosen,
    toggle: (index, isRange) => {
      const row = rows.rowAt(index);
      if (row === undefined) return;
      if (!isRange) {
        const others = [...chosen].filter(([id]) => id !== row.id);
        setHeld(heldOf(chosen.has(row.id) ? others : [...others, [row.id, row]], index));
        return;
      }
      const range = rangeBetween(held.last ?? index, index);
      const found = range.map(rows.rowAt);
      const withRows = (more: readonly (Row | undefined)[]) =>
        heldOf([...chosen, ...more.flatMap((one) => (one ? [[one.id, one] as const] : []))], index);
      if (found.every((one) => one !== undefined)) return setHeld(withRows(found));
      // Rows that were passed out of view are not loaded.
      readRange(range, list, query).then(
        (items) => setHeld((now) => (now === held ? withRows(items) : now)),
        // The call has shown a toast.
        () => undefined,
      );
    },
    toggleAll: () => {
      if (chosen.size > 0) return setHeld(heldOf([]));
      const asked = list({ ...query, perPage: MOST_SEVERAL }, new AbortController().signal);
      asked.then(
        // A user who has chosen rows meanwhile keeps them.
        ({ items }) =>
          setHeld((now) => (now === held ? heldOf(items.map((row) => [row.id, row])) : now)),
        // The call has shown a toast.
        () => undefined,
      );
    },
    leave: (ids) =>
      // Others may have been chosen since.
      setHeld((now) => ({
        key: now.key,
        rows: new Map([...now.rows].filter(([id]) => !ids.has(id))),
        last: undefined,
      })),
    clear: () => setHeld(heldOf([])),
  };
}

/** The indexes from one row to another, both included, ascending; no more than one change takes, from the first one on. */
function rangeBetween(from: number, to: number): number[] {
  const count = Math.min(Math.abs(to - from) + 1, MOST_SEVERAL);
  const lowest = to < from ? from - count + 1 : from;
  return Array.from({ length: count }, (_, step) => lowest + step);
}

async function readRange<Row>(
  range: readonly number[],
  list: (query: ListQuery, signal: AbortSignal) => Promise<Page<Row>>,
  query: ListQuery,
): Promise<Row[]> {
  const pages = [...new Set(range.map((index) => Math.floor(index / PAGE_ROWS)))];
  const { signal } = new AbortController();
  const answers = await Promise.all(
    pages.map((page) => list({ ...query, page, perPage: PAGE_ROWS }, signal)),
  );
  const [first = 0] = pages;
  const items = answers.flatMap((answer) => answer.items);
  return range.flatMap((index) => items[index - first * PAGE_ROWS] ?? []);
}
