import { fragmentAddress } from '../../fragment/address.ts';

/** What the address of the GPS tab says. */
export const gpsAddress = {
  ...fragmentAddress,
  /** Number of the shown lap in its day, or `route`. */
  lap: 'ofDay',
  /** Pinned tracks, as `lap`, comma-separated. */
  pin: 'ofDay',
  /** Place of the chosen stop in its lap, or the moment at which a halt began. */
  stop: 'ofDay',
  /** What the colours of a track tell. */
  colour: 'anyDay',
} as const;
export type GpsAddress = typeof gpsAddress;
