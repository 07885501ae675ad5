/** The keys of the query of the account screen: none. */
export const accountAddress = {} as const;
export type AccountAddress = typeof accountAddress;
