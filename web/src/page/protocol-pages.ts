import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';

/** The pages of the help that say how to connect units of each protocol. */
export const protocolPages = {
  ...{ egts: 'connect-egts', jt808: 'connect-jt808', osmand: 'connect-osmand' },
} as const satisfies Record<UnitProtocol, string>;
