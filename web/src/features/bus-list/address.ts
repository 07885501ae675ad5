/** The keys of the bus list's query. */
export const listAddress = {
  /** The text of the search. */
  q: 'anyDay',
  /** The chosen filter: `moving`, `standing`, `silent`, `off` or `attention`. */
  show: 'anyDay',
  /** The chosen order: `state`, `entered`, `inside` or `attention`; by routes unless given. */
  sort: 'anyDay',
  /** The id of the only customer whose buses are listed. */
  customer: 'anyDay',
} as const;
