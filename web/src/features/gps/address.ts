import type { PageAddress } from '../../bus-page/address.ts';
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
/** With the keys of the page around the tab. */
export type GpsAddress = typeof gpsAddress & PageAddress;
