/** The keys of the query of the page that connects a unit. */
export const connectAddress = {
  /** Id of the unit. */
  unit: 'anyDay',
} as const;
export type ConnectAddress = typeof connectAddress;
