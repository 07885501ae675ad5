/** The keys of the query that all tabs of a bus's page have. */
export const pageAddress = {
  /** Local day `YYYY-MM-DD`; if absent today, or the latest day with data; present if a key of kind `ofDay` is. */
  date: 'anyDay',
  /** The shown part of the tab; `count` selects the count tab where another one would open by default. */
  part: 'anyDay',
  /** `day` opens the day sheet. */
  sheet: 'ofDay',
} as const;
export type PageAddress = typeof pageAddress;
