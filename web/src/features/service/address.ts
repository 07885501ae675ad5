import type { PageAddress } from '../../bus-page/address.ts';
import { fragmentAddress } from '../../fragment/address.ts';

/** The keys of the cabin tab's query; `part` is `live` or absent. */
export const serviceAddress = {
  ...fragmentAddress,
  /** Id of the selected camera; the first one by default. */
  camera: 'anyDay',
  /** The selected range of the day, in seconds from its start: `28800-30600`. */
  span: 'ofDay',
} as const;
/** With the keys of the page around the tab. */
export type ServiceAddress = typeof serviceAddress & PageAddress;
