import { useCallback, useMemo } from 'react';
import type { CustomerBuses } from '../../buses/order.ts';
import { PickMany } from '../../forms/pick-many.tsx';
import styles from './filters.module.css';
import type { Filters } from './filters.ts';
import { searchTree, treeNodes } from './tree-nodes.ts';
import { useStatsText } from './use-stats-text.ts';

interface BusTreeProps {
  sections: readonly CustomerBuses[];
  chosen: Filters['buses'];
  onChosen: (chosen: Filters['buses']) => void;
}

/** Customers, routes and buses to tick. */
export function BusTree({ sections, chosen, onChosen }: BusTreeProps) {
  const text = useStatsText();
  const find = useCallback(
    (query: string) => treeNodes(searchTree(sections, query, text.ungrouped), text.ungrouped),
    [sections, text],
  );
  const all = useMemo(
    () => sections.flatMap(({ routes }) => routes.flatMap((one) => one.buses.map(({ id }) => id))),
    [sections],
  );
  const ticked = useMemo(() => new Set(chosen === 'all' ? all : chosen), [chosen, all]);
  return (
    <PickMany
      label={text.busList}
      search={text.search}
      all={text.allBuses}
      empty={text.noBuses}
      find={find}
      chosen={ticked}
      onChosen={(next) => onChosen(all.every((id) => next.has(id)) ? 'all' : [...next])}
      className={styles.tree}
    />
  );
}
