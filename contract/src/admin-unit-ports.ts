// Addresses to which units of other protocols send.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Moment } from './primitives.ts';
import { UnitProtocol } from './unit-protocols.ts';

/**
 * Why a port could not be opened: another program has it, the server may not open it, the machine has no such address,
 * or another reason, which the log has.
 */
export const PortFault = z.enum(['taken', 'no_right', 'no_address', 'other']);
export type PortFault = z.infer<typeof PortFault>;

/** A port of a unit protocol that could not be opened; the server tries again. */
export const ClosedPort = z.object({ listener: z.string(), port: z.int(), reason: PortFault });
export type ClosedPort = z.infer<typeof ClosedPort>;

/** The listeners for the video of JT/T 808 terminals: live, and recordings. */
export const VideoListener = z.enum(['jt1078', 'ftp']);
export type VideoListener = z.infer<typeof VideoListener>;

export const UnitPorts = z.object({
  /** The address of the product (PUBLIC_URL), without a slash at its end; null: it is not configured. */
  public_url: z.nullable(z.string()),
  protocols: z.array(
    z.object({
      protocol: UnitProtocol,
      /** Its port beside that of the product; null: none. The OsmAnd form is taken at the product's address, too. */
      port: z.nullable(z.int()),
      /** Only certain addresses may send (EGTS_FROM, JT808_FROM, OSMAND_FROM). */
      is_limited: z.boolean(),
      /** Why its port could not be opened, as of now; null: it is open, or there is none. */
      closed: z.nullable(PortFault),
      /**
       * For administrators: the address that was refused last because it is none of those, within the last hour; null: none.
       * Of JT/T 808 also at its ports for video. A process notes one in 5 s.
       */
      last_refused: z.nullable(z.object({ address: z.string(), at: Moment })),
    }),
  ),
  /**
   * Ports for the video of JT/T 808 terminals that could not be opened: `jt1078` (live), `ftp` (recordings). Customers'
   * administrators get them, too: they connect units. All closed ports are for administrators (`closed_ports`).
   */
  closed_video_ports: z.array(ClosedPort),
  /** Those of them that the configuration switches off (port 0). */
  off_video_ports: z.array(VideoListener),
});
export type UnitPorts = z.infer<typeof UnitPorts>;

export const findUnitPorts = endpoint({
  method: 'GET',
  path: '/api/admin/unit-ports',
  summary: 'Where units send that speak EGTS, JT/T 808 or the OsmAnd form: address and ports',
  access: 'user',
  response: UnitPorts,
  errors: ['unauthorized', 'no_right'],
});
