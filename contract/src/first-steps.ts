import * as z from 'zod/mini';
import { ClosedPort } from './admin-unit-ports.ts';
import { endpoint } from './endpoint.ts';
import { Named } from './paging.ts';
import { IdText, Moment } from './primitives.ts';
import { UnitProtocol } from './unit-protocols.ts';

/** How far a new installation has come; each step is the first object of its kind. */
export const FirstSteps = z.object({
  customer: z.nullable(Named),
  bus: z.nullable(Named),
  /** A unit in a bus, with a valid credential or another protocol. */
  unit: z.nullable(Named),
  /** Without such a unit: one that lacks its place in a bus, or else a credential. */
  unfinished_unit: z.nullable(z.extend(Named, { lacks: z.enum(['bus', 'credential']) })),
  camera: z.nullable(Named),
  /** Some unit has sent a position. */
  has_position: z.boolean(),
  /** Somebody was counted. */
  has_count: z.boolean(),
  /** Ports of unit protocols that could not be opened. */
  closed_ports: z.array(ClosedPort),
  /** The protocols that the configuration switches off (port 0). The OsmAnd form is always taken. */
  off_protocols: z.array(UnitProtocol),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

export const findFirstSteps = endpoint({
  method: 'GET',
  path: '/api/admin/first-steps',
  summary: 'How far a new installation has come, from the first customer to the first count',
  access: 'admin',
  response: FirstSteps,
  errors: ['unauthorized', 'no_right'],
});

/** How far back a screen that waits for a unit looks, ms. */
export const ARRIVALS_KEPT_MS = 24 * 3_600_000;

/** The last data of a unit, shown to the person who connects it. */
export const Arrivals = z.object({
  last_seen_at: z.nullable(Moment),
  /** Its last position, by the server's clock. */
  position: z.nullable(z.object({ at: Moment, latitude: z.number(), longitude: z.number() })),
  /** The last passenger event of the last 24 hours, by its corrected time. Without a bus it counts for none yet. */
  counted_at: z.nullable(Moment),
  /** When a credential of the unit was refused last: it has ended, or the unit is switched off. */
  refused_at: z.nullable(Moment),
  /** When a credential that belongs to no unit was refused last, whatever sent it. */
  unknown_refused_at: z.nullable(Moment),
  /** How far the server's clock is ahead of the unit's, ms; null before its first batch. */
  clock_offset_ms: z.nullable(z.int()),
});
export type Arrivals = z.infer<typeof Arrivals>;

export const findArrivals = endpoint({
  method: 'GET',
  path: '/api/admin/units/{unitId}/arrivals',
  summary: 'When a unit was heard last, where it is, and when it last counted somebody',
  access: 'user',
  params: z.object({ unitId: IdText }),
  response: Arrivals,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
