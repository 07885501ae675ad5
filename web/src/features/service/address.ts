import { fragmentAddress } from '../../fragment/address.ts';

/** What the address of the cabin tab says; its `part` is `live` or absent. */
export const serviceAddress = {
  ...fragmentAddress,
  /** The chosen camera's id; the first one when absent. */
  camera: 'anyDay',
  /** The chosen stretch of the day, seconds from its start: `28800-30600`. */
  span: 'ofDay',
} as const;
export type ServiceAddress = typeof serviceAddress;
