import { MOST_SEVERAL } from '@ridewatch/contract/admin-several';
import { useRef, useState } from 'react';
import type { ListQuery, Page } from './section.ts';
import type { Rows } from './use-rows.ts';

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
      const isOn = isRange || !chosen.has(row.id);
      const from = isRange ? last.current : index;
      last.current = index;
      const next = new Map(chosen);
      for (let at = Math.min(from, index); at <= Math.max(from, index); at += 1) {
        const one = rows.rowAt(at);
        if (one && isOn) next.set(one.id, one);
        else if (one) next.delete(one.id);
      }
      hold(next);
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
