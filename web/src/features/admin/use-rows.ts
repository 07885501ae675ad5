import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../calls/api.ts';
import type { ListQuery, Page, Section } from './section.ts';

/** Rows of one request. */
export const PAGE_ROWS = 100;
/** Interval at which rows in view, the open one and the counts are read again, ms: buses move, units fall silent. */
export const ROWS_EVERY_MS = 30_000;

export interface Rows<Row> {
  /** Undefined until known. */
  readonly total: number | undefined;
  /** Undefined for a row that is not loaded. */
  readonly rowAt: (index: number) => Row | undefined;
  /** Index of a loaded row; −1: it is not loaded. */
  readonly indexOf: (id: number) => number;
  /** Asks for the rows from one index to another. */
  readonly show: (first: number, last: number) => void;
  readonly isOld: boolean;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly refetch: () => void;
}

/** Reads the pages of a list that are in view, and the first one. */
export function useRows<Row extends { readonly id: number }>(
  section: Pick<Section<Row>, 'name' | 'list'>,
  query: ListQuery,
): Rows<Row> {
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const pages = [...new Set([0, range[0], range[1]])];
  const answers = useQueries({
    queries: pages.map((page) => ({
      queryKey: [ADMIN_KEY, section.name, query, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        section.list({ ...query, page, perPage: PAGE_ROWS }, signal),
      placeholderData: (before: Page<Row> | undefined) => (page === 0 ? before : undefined),
      refetchInterval: ROWS_EVERY_MS,
    })),
  });
  const [first] = answers;
  const loaded = answers.map(({ data }) => data?.items);
  const rowAt = (index: number): Row | undefined =>
    loaded[pages.indexOf(Math.floor(index / PAGE_ROWS))]?.[index % PAGE_ROWS];
  return {
    total: first?.data?.total,
    rowAt,
    indexOf: (id) => {
      for (const [at, items] of loaded.entries()) {
        const index = items?.findIndex((row) => row.id === id) ?? -1;
        if (index >= 0) return (pages[at] ?? 0) * PAGE_ROWS + index;
      }
      return -1;
    },
    show: (from, to) => {
      const next = [Math.floor(from / PAGE_ROWS), Math.floor(to / PAGE_ROWS)] as const;
      if (next[0] !== range[0] || next[1] !== range[1]) setRange(next);
    },
    isOld: first?.isPlaceholderData ?? false,
    isError: (first?.isError ?? false) && first?.data === undefined,
    isFetching: first?.isFetching ?? false,
    refetch: () => void first?.refetch(),
  };
}

/** The first part of the keys of the administration's answers in the cache. */
export const ADMIN_KEY = 'admin';

/** The key of one row's answer. */
export const rowKey = (section: string, id: number) => [ADMIN_KEY, section, 'row', id] as const;

/** Whether a key of the cache is that of a row's answer. */
export const isRowKey = ([first, , kind]: readonly unknown[]): boolean =>
  first === ADMIN_KEY && kind === 'row';

/** Reads what a change may have changed again: lists, rows and counts. */
export async function readAgain(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => isOfAdministration(queryKey),
  });
}

/** Reads the counts of the menu again. */
export async function readCountsAgain(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [findAdminOverview.path] });
}

/** Reads again what may still name a row that is gone: lists and counts. */
export async function readListsAgain(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => isOfAdministration(queryKey) && !isRowKey(queryKey),
  });
}

const isOfAdministration = ([first]: readonly unknown[]): boolean =>
  first === ADMIN_KEY || (typeof first === 'string' && first.startsWith('/api/'));
