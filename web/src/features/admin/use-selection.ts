import { MOST_SEVERAL } from '@ridewatch/contract/admin-several';
import { useRef, useState } from 'react';
import type { ListQuery, Page } from './section.ts';
import { PAGE_ROWS, type Rows } from './use-rows.ts';

/** Rows that are chosen for one change of all of them. */
export interface Selection<Row> {
  readonly rows: ReadonlyMap<number, Row>;
  /** Chooses a row or leaves it out; with `isRange` all from the last one on. */
  readonly toggle: (index: number, isRange: boolean) => void;
  /** Chooses all rows that are found, as many as one change takes, or none. */
  readonly toggleAll: () => void;
  /** Chooses these rows no more. */
  readonly leave: (ids: ReadonlySet<number>) => void;
  readonly clear: () => void;
}

/** The chosen rows of a list; another search or filter chooses none. */
export function useSelection<Row extends { readonly id: number }>(
  rows: Rows<Row>,
  list: (query: ListQuery, signal: AbortSignal) => Promise<Page<Row>>,
  query: ListQuery,
): Selection<Row> {
  const key = JSON.stringify(query);
  const [held, setHeld] = useState<{ key: string; rows: ReadonlyMap<number, Row> }>();
  const last = useRef(0);
  const chosen: ReadonlyMap<number, Row> = held?.key === key ? held.rows : new Map();
  const heldOf = (next: Iterable<readonly [number, Row]>) => ({
    ...{ key, rows: new Map([...next].slice(0, MOST_SEVERAL)) },
  });
  const hold = (next: Iterable<readonly [number, Row]>) => setHeld(heldOf(next));
  return {
    rows: chosen,
    toggle: (index, isRange) => {
      const row = rows.rowAt(index);
      if (row === undefined) return;
      if (!isRange) {
        last.current = index;
        const isOn = !chosen.has(row.id);
        hold(isOn ? [...chosen, [row.id, row]] : [...chosen].filter(([id]) => id !== row.id));
        return;
      }
      const range = rangeBetween(last.current, index);
      last.current = index;
      const found = range.map(rows.rowAt);
      const withRows = (more: readonly (Row | undefined)[]) =>
        heldOf([...chosen, ...more.flatMap((one) => (one ? [[one.id, one] as const] : []))]);
      if (found.every((one) => one !== undefined)) return setHeld(withRows(found));
      // Rows that were passed out of view are not loaded.
      readRange(range, list, query).then(
        (items) => setHeld((now) => (now === held ? withRows(items) : now)),
        // The call has shown a toast.
        () => undefined,
      );
    },
    toggleAll: () => {
      if (chosen.size > 0) return hold([]);
      const asked = list({ ...query, perPage: MOST_SEVERAL }, new AbortController().signal);
      asked.then(
        // A user who has chosen rows meanwhile keeps them.
        ({ items }) =>
          setHeld((now) => (now === held ? heldOf(items.map((row) => [row.id, row])) : now)),
        // The call has shown a toast.
        () => undefined,
      );
    },
    leave: (ids) => hold([...chosen].filter(([id]) => !ids.has(id))),
    clear: () => hold([]),
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
