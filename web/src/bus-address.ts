/** What of a bus's page the address holds; everything is text, as it was typed. */
export interface BusSearch {
  /** Local day `YYYY-MM-DD`; today when absent, as long as nothing of the day is chosen. */
  date?: string;
  /** Camera ids, comma-separated. */
  camera?: string;
  /** Selected fragment's id. */
  fragment?: string;
  /** Where the fragment plays: seconds of wall time from its start. */
  t?: string;
  /** Number of the shown lap in its day, or `route`. */
  lap?: string;
  /** Pinned tracks, as `lap`, comma-separated. */
  pin?: string;
  /** Place of the chosen stop in its lap, or the moment at which a halt began. */
  stop?: string;
  /** What a track's colours tell. */
  colour?: string;
  /** Part of a tab that is shown: of the route; `live` in the cabin; `count` where another tab would open by itself. */
  part?: string;
  /** Another route than the bus's own, by its id. */
  route?: string;
  /** Local day from which changes of the route hold. */
  from?: string;
  /** Which of the route's actions is open. */
  act?: string;
  /** Whose prices are shown: `reverse` or `all`; forward rides when absent. */
  rides?: string;
  /** Chosen stretch of the day, seconds from its start: `28800-30600`. */
  span?: string;
}

// In one text: this file is in what a browser loads before it can sign in.
const KEYS = 'date camera fragment t lap pin stop colour part route from act rides span'.split(
  ' ',
) as (keyof BusSearch)[];

/** Reads the known keys of a bus's address and leaves the rest. */
export function readBusSearch(raw: Record<string, unknown>): BusSearch {
  const search: BusSearch = {};
  for (const key of KEYS) {
    const value = raw[key];
    if (typeof value === 'string' && value) search[key] = value;
  }
  return search;
}
