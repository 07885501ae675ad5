// Addresses to which units of other protocols send.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { UnitProtocol } from './unit-protocols.ts';

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
    }),
  ),
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
