import { createStoredValue } from '../core/stored-value.ts';

/** Whether the list beside the page is collapsed. */
export const collapsed = createStoredValue<boolean>(
  'ridewatch.side-list-collapsed',
  (raw) => raw === true,
);
