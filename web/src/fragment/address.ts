/** The keys of the query that name the open fragment. */
export const fragmentAddress = {
  /** The fragment's id. */
  fragment: 'ofDay',
  /** Position: seconds of wall time from its start. */
  t: 'ofDay',
} as const;
export type FragmentAddress = typeof fragmentAddress;
