import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, IdText, Point, Text } from './primitives.ts';

/** Most stops of a route; an older route with more stays as it is. */
export const MAX_ROUTE_STOPS = 1000;

/** The id for buses without a route. */
export const UNGROUPED = '!ungrouped';

export const CalculationType = z.enum(['FIXED', 'CALCULATION']);
export type CalculationType = z.infer<typeof CalculationType>;

export const BusRoute = z.object({
  id: Id,
  name: z.string(),
  client_id: Id,
  deleted: z.boolean(),
  type_calculation: CalculationType,
});
export type BusRoute = z.infer<typeof BusRoute>;

export const BusRouteWithTrack = z.extend(BusRoute, { track: z.array(Point) });
export type BusRouteWithTrack = z.infer<typeof BusRouteWithTrack>;

/** The routes of one customer, which a user's screens load at the start. */
export const listClientRoutes = endpoint({
  method: 'GET',
  path: '/api/groups/client/{customerId}',
  summary: 'The routes of a customer, by name',
  access: 'user',
  scope: 'buses',
  params: z.object({ customerId: IdText }),
  response: z.object({ items: z.array(BusRoute), number: z.int(), total: z.int() }),
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

const Ids = z.union([IdText, z.array(IdText)]);

export const searchRoutes = endpoint({
  method: 'GET',
  path: '/api/groups/search',
  summary: 'Routes of customers, or of the customers of a bus, by name',
  access: 'user',
  scope: 'buses',
  query: z.object({
    clientIds: z.optional(Ids),
    workplaceId: z.optional(IdText),
    name: z.optional(Text),
    page: z.optional(z.string().check(z.regex(/^\d{1,6}$/))),
    perPage: z.optional(z.string().check(z.regex(/^[1-9]\d{0,3}$/))),
  }),
  response: z.object({ items: z.array(BusRoute), number: z.int(), total: z.int() }),
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

export const setRoute = endpoint({
  method: 'PUT',
  path: '/api/set-group',
  summary: 'Moves a bus to another route of its customer, or to none, from its local today on',
  access: 'admin',
  body: z.object({ groupId: z.union([Id, z.literal(UNGROUPED)]), workplaceId: Id }),
  response: z.object({ workplaceId: Id, group: z.nullable(BusRoute) }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
