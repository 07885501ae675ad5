import {
  insertRouteCost,
  listRouteCosts,
  type RouteCost,
  setRouteCosts,
} from '@ridewatch/contract/costs';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { cacheAnswer, changeCached, useAction, useEndpoint } from '../../../calls/api.ts';
import { call } from '../../../calls/request.ts';
import { ApiError } from '../../../core/api-error.ts';
import { useEdits } from '../../../edits/use-edits.ts';
import { problemText } from '../problem.ts';
import { useRouteText } from '../use-route-text.ts';
import {
  createPriceBook,
  type PriceBook,
  type PriceCell,
  type PriceEdit,
  priceOptions,
} from './price-book.ts';

/** The prices of a route that are valid on a day; changes are valid from it on. */
export function usePriceBook(routeId: number, day: string) {
  const text = useRouteText();
  const input = { params: { groupId: routeId }, query: { date: day } };
  const answer = useEndpoint(listRouteCosts, input);
  const setOne = useAction(insertRouteCost);
  const setMany = useAction(setRouteCosts);

  const save = async (edits: readonly PriceEdit[]) => {
    const items = edits.map(({ from, to, cost, seen }) => ({
      from_stop_id: from,
      to_stop_id: to,
      cost,
      seen: { cost: seen },
    }));
    const [only] = items;
    const common = { group_id: routeId, valid_from: day };
    // The answer to one price is that price; to several, the whole table.
    if (items.length === 1 && only && only.cost !== null) {
      const body = { ...only, cost: only.cost, ...common };
      const saved = await setOne.mutateAsync({ body });
      changeCached(listRouteCosts, input, (before) => withCost(before, saved));
    } else {
      const table = await setMany.mutateAsync({ body: { items, ...common } });
      cacheAnswer(listRouteCosts, input, table);
    }
  };
  const reasonOf = (error: unknown) => problemText(error, text);
  const readAfterConflict = async (error: unknown) => {
    if (!(error instanceof ApiError) || error.error !== 'conflict') return undefined;
    const table = await call(listRouteCosts, input);
    cacheAnswer(listRouteCosts, input, table);
    return table.items;
  };
  const edits = useEdits(priceOptions({ save, readAfterConflict, reasonOf }), true);
  const [book] = useState(() => createPriceBook(edits));
  const { data } = answer;
  useEffect(() => {
    if (data) book.load(data.items);
  }, [book, data]);
  return { book, answer };
}

/** One cell; the component renders again when it changes. */
export function usePriceCell(book: PriceBook, from: number, to: number): PriceCell {
  return useSyncExternalStore(
    (listener) => book.watchCell(from, to, listener),
    () => book.cellOf(from, to),
  );
}

/** Numbers of cells by state. */
export function useBookState(book: PriceBook) {
  return useSyncExternalStore(book.watch, book.state);
}

function withCost<T extends { items: RouteCost[] }>(before: T, saved: RouteCost): T {
  const others = before.items.filter(
    (one) => one.from_stop_id !== saved.from_stop_id || one.to_stop_id !== saved.to_stop_id,
  );
  return { ...before, items: [...others, saved], total: others.length + 1 };
}
