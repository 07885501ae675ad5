/** What the address of the bus list says. */
export const listAddress = {
  /** What somebody searches for. */
  q: 'anyDay',
} as const;
