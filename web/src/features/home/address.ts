/** The keys of the home page's query. */
export const homeAddress = {
  /** Which buses the map shows: `moving`, `standing` or `silent`; all by default. */
  show: 'anyDay',
  /** The figure of the hours: `exited`; by default who entered. */
  key: 'anyDay',
} as const;
export type HomeAddress = typeof homeAddress;
