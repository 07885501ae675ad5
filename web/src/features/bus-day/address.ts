import { fragmentAddress } from '../../fragment/address.ts';

/** The keys of the count tab's query. */
export const countAddress = {
  ...fragmentAddress,
  /** Ids of the selected cameras, comma-separated; all by default. */
  camera: 'anyDay',
  /** The filter of the list: `review`, `differs` or `error`; all fragments by default. */
  show: 'anyDay',
  /** The view of the open calculator. */
  money: 'anyDay',
} as const;
export type CountAddress = typeof countAddress;
