/** What the address says of the fragment that somebody watches. */
export const fragmentAddress = {
  /** The fragment's id. */
  fragment: 'ofDay',
  /** Where it plays: seconds of wall time from its start. */
  t: 'ofDay',
} as const;
export type FragmentAddress = typeof fragmentAddress;
