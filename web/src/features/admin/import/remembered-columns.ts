import type { ImportKind } from '@ridewatch/contract/admin-import';
import { createStoredValue } from '../../../core/stored-value.ts';

/** Most headings that a browser remembers for a kind of table; the latest stay. */
const MOST_HEADINGS = 200;

type Known = Readonly<Record<string, string | null>>;

const stored = createStoredValue<Readonly<Partial<Record<ImportKind, Known>>>>(
  'ridewatch.import-columns',
  (raw) => (typeof raw === 'object' && raw !== null ? raw : {}),
);

/** Gives the user's last choice for a heading of a kind of table; null: left out. Undefined: nothing was chosen yet. */
export function rememberedColumn(kind: ImportKind, heading: string): string | null | undefined {
  return stored.get()[kind]?.[heading.trim().toLowerCase()];
}

/** Remembers what the columns of a table that was loaded are. */
export function rememberColumns(
  kind: ImportKind,
  headings: readonly string[],
  columns: readonly (string | null)[],
): void {
  const chosen = headings.flatMap((heading, at): [string, string | null][] => {
    const key = heading.trim().toLowerCase();
    return key === '' ? [] : [[key, columns[at] ?? null]];
  });
  const all = new Map(Object.entries(stored.get()[kind] ?? {}));
  for (const [key, column] of chosen) {
    // Again at the end: the ones that were used longest ago are forgotten.
    all.delete(key);
    all.set(key, column);
  }
  const kept = [...all].slice(-MOST_HEADINGS);
  stored.set({ ...stored.get(), [kind]: Object.fromEntries(kept) });
}
