import type { AdminUnit } from '@ridewatch/contract/admin-units';

/** Whether a unit has been in no bus: its first one gets all that it has sent. */
export const hasNoBusYet = ({ bus, assigned_from }: AdminUnit): boolean =>
  bus === null && assigned_from === null;
