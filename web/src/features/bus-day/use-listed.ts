import type { Fragment } from '@ridewatch/contract/fragments';
import { useMemo, useRef } from 'react';
import { type ListFilter, passes } from './list-filters.ts';

/**
 * The fragments in the list: those that pass the filter; those that passed it since it was chosen, so that a reviewed
 * row stays where it was; and the current one, which always has its row.
 */
export function useListed(
  fragments: readonly Fragment[],
  filter: ListFilter | undefined,
  currentId: number | undefined,
): readonly Fragment[] {
  const passed = useRef({ filter, ids: new Set<number>() });
  return useMemo(() => {
    if (passed.current.filter !== filter) passed.current = { filter, ids: new Set() };
    if (filter === undefined) return fragments;
    const { ids } = passed.current;
    for (const fragment of fragments) if (passes(fragment, filter)) ids.add(fragment.id);
    return fragments.filter(({ id }) => ids.has(id) || id === currentId);
  }, [fragments, filter, currentId]);
}
