/** The keys of the query of the help. */
export const helpAddress = {
  /** What is searched. */
  q: 'anyDay',
} as const;
export type HelpAddress = typeof helpAddress;
