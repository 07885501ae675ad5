import * as z from 'zod/mini';
import { CalculationType, MAX_ROUTE_STOPS } from './bus-routes.ts';
import { BusType } from './buses.ts';
import { Fare, SalaryPercent } from './calculation.ts';
import { endpoint } from './endpoint.ts';
import { Id, Point, Text, Zone } from './primitives.ts';
import { CameraKey } from './unit.ts';
import { ProtocolId, UnitProtocol } from './unit-protocols.ts';

/** Most points of a route's track; a route of 50 km there and back has 2,000. */
const MOST_TRACK_POINTS = 20_000;

const Name = Text;
const Door = z.int().check(z.minimum(1), z.maximum(16));
const Capacity = z.int().check(z.minimum(0), z.maximum(500));
/** The index of a stop among its route's stops, from 0. */
const StopIndex = z.int().check(z.minimum(0), z.maximum(10_000));

/** Largest plan, bytes: some tens of thousands of buses. */
export const MAX_PLAN_BYTES = 16 * 1024 * 1024;

/**
 * A fleet to set up: customers with their routes, buses, units and cameras. Names are the keys, and the call is
 * idempotent, so a plan beyond MAX_PLAN_BYTES is sent in parts that each name the customer.
 */
export const FleetPlan = z.object({
  customers: z.array(
    z.object({
      name: Name,
      surname: z.optional(Name),
      groups: z.array(
        z.object({
          name: Name,
          type_calculation: CalculationType,
          track: z.array(Point).check(z.maxLength(MOST_TRACK_POINTS)),
          /** Confirms neighbouring stops over 200 km apart. */
          confirm_far: z.optional(z.boolean()),
          stops: z
            .array(
              z.object({
                name: Name,
                latitude: Point.shape.latitude,
                longitude: Point.shape.longitude,
                routeDirection: z.enum(['FORWARD', 'REVERSE']),
                /** First or last terminal of the route. */
                terminal: z.optional(z.enum(['first', 'last'])),
              }),
            )
            .check(z.maxLength(MAX_ROUTE_STOPS)),
          /** Roubles with two decimals between stops by order within the route, for CALCULATION. */
          costs: z.optional(
            z.array(
              z.object({
                from: StopIndex,
                to: StopIndex,
                cost: z
                  .string()
                  .check(z.regex(/^\d{1,7}\.\d\d$/, 'must be roubles with two decimals')),
              }),
            ),
          ),
        }),
      ),
      buses: z.array(
        z.object({
          name: Name,
          description: z.optional(Name),
          type: BusType,
          timezone: Zone,
          gps_trackable: z.boolean(),
          group: z.nullable(Name),
          device_id: z.string().check(z.minLength(1), z.maxLength(64)),
          /** Protocol and id of a unit that does not speak the unit interface; a known unit keeps its own. */
          protocol: z.optional(UnitProtocol),
          protocol_id: z.optional(ProtocolId),
          capacity_seated: z.optional(Capacity),
          capacity_standing: z.optional(Capacity),
          /** The first values in the calculator of a new bus; 0 unless given. */
          fare: z.optional(Fare),
          salary_percent: z.optional(SalaryPercent),
          cameras: z.array(
            z.object({
              name: Name,
              stream_id: CameraKey,
              live: z.boolean(),
              door: z.nullable(Door),
            }),
          ),
        }),
      ),
    }),
  ),
});
export type FleetPlan = z.infer<typeof FleetPlan>;

export const FleetCredentials = z.object({
  /** The customers of the plan, also those without buses: calls about routes take their ids. */
  customers: z.array(z.object({ id: Id, name: z.string() })),
  /** Secrets are shown this once; a known unit gets another one. */
  units: z.array(z.object({ device_id: z.string(), bus_id: Id, credential: z.string() })),
});
export type FleetCredentials = z.infer<typeof FleetCredentials>;

export const setUpFleet = endpoint({
  method: 'POST',
  path: '/api/fleet',
  summary:
    'Sets up customers, routes, buses, units and cameras; answers with the ids of the customers and credentials of the units',
  access: 'admin',
  body: FleetPlan,
  maxBodyBytes: MAX_PLAN_BYTES,
  response: FleetCredentials,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'conflict', 'too_large'],
});
