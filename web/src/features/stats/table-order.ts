// The order of the rows of the table.
import { changeOf, type Series } from './series.ts';

/** The columns that sort the table. */
const SORT_KEYS = ['name', 'total', 'change', 'silence', 'completeness'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface TableOrder {
  readonly key: SortKey;
  /** Names ascend and figures descend unless reversed. */
  readonly isReversed: boolean;
}

const collator = new Intl.Collator('ru', { numeric: true });

/** Reads an order from the address: a column, with a minus if reversed; the largest first by default. */
export function orderOf(text: string | undefined): TableOrder {
  const isReversed = text?.startsWith('-') === true;
  const key = SORT_KEYS.find((one) => one === (isReversed ? text?.slice(1) : text));
  return key ? { key, isReversed } : { key: 'total', isReversed: false };
}

/** The address of the order after a press on the head of a column; the usual order has none. */
export function pressedOrder(
  { key, isReversed }: TableOrder,
  pressed: SortKey,
): string | undefined {
  if (pressed !== key) return pressed === 'total' ? undefined : pressed;
  if (!isReversed) return `-${pressed}`;
  return pressed === 'total' ? undefined : pressed;
}

/** Sorts series; equal ones by name. */
export function sorted(series: readonly Series[], { key, isReversed }: TableOrder): Series[] {
  const sign = isReversed ? -1 : 1;
  const byName = (a: Series, b: Series) => collator.compare(a.name, b.name);
  if (key === 'name') return series.toSorted((a, b) => sign * byName(a, b));
  const figure = (one: Series): number => {
    if (key === 'total') return one.total;
    if (key === 'silence') return one.silentHours;
    if (key === 'completeness') return one.completeness ?? Number.NEGATIVE_INFINITY;
    return changeOf(one.beforeTotal, one.total) ?? Number.NEGATIVE_INFINITY;
  };
  // Differences of infinities are no numbers.
  const compare = (a: number, b: number) => Number(a < b) - Number(a > b);
  return series.toSorted((a, b) => sign * compare(figure(a), figure(b)) || byName(a, b));
}
