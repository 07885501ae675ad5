/** What of a bus's page the address holds; everything is text, as it was typed. */
export interface BusSearch {
  /** Local day `YYYY-MM-DD`; today when absent. */
  date?: string;
  tab?: string;
  /** Camera ids, comma-separated. */
  camera?: string;
  /** Selected fragment's id. */
  fragment?: string;
  /** Seconds into the fragment's video. */
  t?: string;
}

const KEYS = ['date', 'tab', 'camera', 'fragment', 't'] as const;

/** Reads the known keys of a bus's address and leaves the rest. */
export function readBusSearch(raw: Record<string, unknown>): BusSearch {
  const search: BusSearch = {};
  for (const key of KEYS) {
    const value = raw[key];
    if (typeof value === 'string' && value) search[key] = value;
  }
  return search;
}
