import { fragmentAddress } from '../../fragment/address.ts';

/** The keys of the query of the review queue. */
export const reviewAddress = {
  ...fragmentAddress,
  /** The id of the customer whose fragments are shown; all by default. */
  customer: 'anyDay',
} as const;
export type ReviewAddress = typeof reviewAddress;
