import { fragmentAddress } from '../../fragment/address.ts';

/** The keys of the GPS tab's query. */
export const gpsAddress = {
  ...fragmentAddress,
  /** Number of the shown lap in its day, or `route`. */
  lap: 'ofDay',
  /** Pinned tracks, as `lap`, comma-separated. */
  pin: 'ofDay',
  /** Position of the selected stop in its lap, or the moment at which a halt began. */
  stop: 'ofDay',
  /** Meaning of the track's colours. */
  colour: 'anyDay',
} as const;
export type GpsAddress = typeof gpsAddress;
