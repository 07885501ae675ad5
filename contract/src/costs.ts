import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { ROUTE_COSTS_PATH } from './paths.ts';
import { Day, Id, IdText } from './primitives.ts';
import { RouteStop } from './routes.ts';

/** Roubles with two decimals at most. */
export const Cost = z
  .string()
  .check(z.regex(/^\d{1,7}(\.\d{1,2})?$/, 'must be roubles with two decimals at most'));

export const RouteCost = z.object({
  id: Id,
  route_cost_id: Id,
  from_stop_id: Id,
  to_stop_id: Id,
  /** `45.00` */
  cost: z.string(),
  group_id: Id,
});
export type RouteCost = z.infer<typeof RouteCost>;

/** The local day from which a change is valid; today unless given. */
const validFrom = { valid_from: z.optional(Day) };
const reading = ['unauthorized', 'invalid_request', 'not_found'] as const;
const editing = ['unauthorized', 'invalid_request', 'no_right', 'not_found'] as const;
const saving = [...editing, 'conflict'] as const;
const page = { number: z.int(), total: z.int() };
/** A price table. */
const table = z.object({
  ...page,
  items: z.array(RouteCost),
  /** Stops that only further patterns of the route have; counted on after those of the default one. */
  further_stops: z.array(RouteStop),
  /** A one-way route: a ride against the order of its stops is impossible and has no price. */
  one_way: z.boolean(),
});

export const listRouteCosts = endpoint({
  method: 'GET',
  path: `${ROUTE_COSTS_PATH}/group/{groupId}`,
  summary: 'The price table of a route as it is valid on a day',
  access: 'user',
  scope: 'money',
  params: z.object({ groupId: IdText }),
  query: z.object({ date: z.optional(Day) }),
  response: table,
  errors: reading,
});

const Price = z.object({
  from_stop_id: Id,
  to_stop_id: Id,
  cost: Cost,
  /**
   * The price that the user saw before typing, null for none. When it has changed since, nothing is saved and the
   * answer is `conflict` with `seen.cost`. Without it the price is set unconditionally.
   */
  seen: z.optional(z.object({ cost: z.nullable(Cost) })),
});

export const setRouteCosts = endpoint({
  method: 'PUT',
  path: ROUTE_COSTS_PATH,
  summary:
    'Sets many prices of a route at once, all or none; with `seen` only if no other user changed them meanwhile',
  access: 'user',
  maxBodyBytes: 8 * 1024 * 1024,
  body: z.object({
    group_id: Id,
    /** A cost of null removes the price. */
    items: z.array(z.extend(Price, { cost: z.nullable(Cost) })).check(z.maxLength(50_000)),
    ...validFrom,
  }),
  response: table,
  errors: saving,
});

export const insertRouteCost = endpoint({
  method: 'POST',
  path: ROUTE_COSTS_PATH,
  summary: 'Sets the price of one ride',
  access: 'user',
  body: z.extend(Price, { group_id: Id, ...validFrom }),
  response: RouteCost,
  errors: saving,
});

export const updateRouteCost = endpoint({
  method: 'POST',
  path: `${ROUTE_COSTS_PATH}/{routeCostId}`,
  summary: 'Changes a price from a local day on',
  access: 'user',
  params: z.object({ routeCostId: IdText }),
  body: z.extend(Price, { group_id: Id, ...validFrom }),
  response: RouteCost,
  errors: saving,
});
