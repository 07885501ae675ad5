/** Most pages that an address can name; the server takes six digits. */
const MOST_PAGES = 100_000;

/** Reads the number of a page, from 0, from an address, where it is from 1. */
export function pageOf(key: string | undefined): number {
  const page = Number(key) - 1;
  return Number.isInteger(page) && page >= 0 && page < MOST_PAGES ? page : 0;
}

/** The number of a page, from 0, as an address has it; the first page has none. */
export function pageKey(page: number): string | undefined {
  return page === 0 ? undefined : String(page + 1);
}
