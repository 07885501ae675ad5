/** The keys of the home page's query. */
export const homeAddress = {
  /** The id of the chosen customer; all by default. */
  customer: 'anyDay',
  /** The buses that the map shows: `moving`, `standing` or `silent`; all by default. */
  show: 'anyDay',
  /** The id of the bus that is picked on the map; none by default. */
  bus: 'anyDay',
  /** The figure of the hours: `exited` or `revenue`; by default who entered. */
  key: 'anyDay',
} as const;
export type HomeAddress = typeof homeAddress;

/** The input of the calls of the home page. */
export const inputOf = (clientId: number | undefined) =>
  clientId === undefined ? {} : { query: { clientId } };
