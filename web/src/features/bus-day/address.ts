import { fragmentAddress } from '../../fragment/address.ts';

/** What the address of the count tab says. */
export const countAddress = {
  ...fragmentAddress,
  /** Ids of the chosen cameras, comma-separated; all when absent. */
  camera: 'anyDay',
} as const;
export type CountAddress = typeof countAddress;
