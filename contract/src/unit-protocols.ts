// Protocols of units that do not speak the unit interface, and how each unit is known in its protocol.
import * as z from 'zod/mini';

export const UnitProtocol = z.enum(['egts']);
export type UnitProtocol = z.infer<typeof UnitProtocol>;

/** Its name in the protocol: EGTS numbers objects and terminals, or knows the IMEI of the modem. */
export const ProtocolId = z
  .string()
  .check(
    z.regex(
      /^(0\d{14}|[1-9]\d{0,14})$/,
      'must be the number of an object or terminal, or an IMEI of 15 digits',
    ),
  );

/** The ways in which EGTS devices differ, as settings of a unit; the standard's unless given. */
export const EgtsSettings = z.object({
  /** A passenger count tells who came since the last one, or all since the counter began. */
  counts: z._default(z.enum(['delta', 'cumulative']), 'delta'),
  /** The flag of counts in the vendor's own form: the lowest bit, the highest bit, or the lowest one inverted. */
  raw_flag: z._default(z.enum(['low', 'high', 'inverted']), 'low'),
  /** The order of the bytes of a counter module's number. */
  module_bytes: z._default(z.enum(['little', 'big']), 'little'),
});
export type EgtsSettings = z.infer<typeof EgtsSettings>;
