import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';

/** The variables of the server's configuration that name addresses and ports of a protocol. */
export const protocolVariables = {
  egts: { from: 'EGTS_FROM', port: 'EGTS_PORT' },
  jt808: { from: 'JT808_FROM', port: 'JT808_PORT' },
  osmand: { from: 'OSMAND_FROM', port: 'OSMAND_PORT' },
} as const satisfies Record<UnitProtocol, object>;
