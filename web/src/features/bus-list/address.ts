/** The keys of the bus list's query. */
export const listAddress = {
  /** The text of the search. */
  q: 'anyDay',
} as const;
