// Patterns of a route: a short run, a run by another street. Prices belong to pairs of the route's stops, whatever the
// pattern.
import * as z from 'zod/mini';
import { MAX_ROUTE_STOPS } from './bus-routes.ts';
import { endpoint } from './endpoint.ts';
import { Day, Id, IdText, Text } from './primitives.ts';
import { RouteStop } from './routes.ts';

/** Most patterns of a route on one day, the default included: each day is matched to all of them. */
export const MAX_PATTERNS = 20;

/** A named list of stops of a route. */
export const RoutePattern = z.object({
  /** Null for the only pattern of a route, which is its stops. */
  id: z.nullable(Id),
  name: z.string(),
  /** The default pattern has the stops that the calls about a route's stops answer. */
  default: z.boolean(),
  /** In order, those of the forward direction first. */
  stop_ids: z.array(Id),
  /** It has a track of its own; else it follows the route's track between its stops. */
  own_track: z.boolean(),
});
export type RoutePattern = z.infer<typeof RoutePattern>;

const patterns = z.object({
  /** The default first. */
  items: z.array(RoutePattern),
  number: z.int(),
  total: z.int(),
  /** All stops of the route: those of the default first, then those of further patterns, or of none any more. */
  stops: z.array(RouteStop),
});
const StopIds = z.array(Id).check(z.minLength(2), z.maxLength(MAX_ROUTE_STOPS));
/** The local day from which a change is valid; today unless given. */
const validFrom = { valid_from: z.optional(Day) };
const ofPattern = z.object({ patternId: IdText });
const editing = ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'] as const;

export const listRoutePatterns = endpoint({
  method: 'GET',
  path: '/api/groups/{groupId}/patterns',
  summary: 'The patterns of a route as they are valid on a day, the default first',
  access: 'user',
  scope: 'buses',
  params: z.object({ groupId: IdText }),
  query: z.object({ date: z.optional(Day) }),
  response: patterns,
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

export const insertRoutePattern = endpoint({
  method: 'POST',
  path: '/api/groups/{groupId}/pattern',
  summary: 'Adds a pattern to a route',
  access: 'user',
  params: z.object({ groupId: IdText }),
  body: z.object({ name: Text, stop_ids: StopIds, ...validFrom }),
  response: patterns,
  errors: editing,
});

export const updateRoutePattern = endpoint({
  method: 'POST',
  path: '/api/groups/pattern/{patternId}',
  summary: 'Renames a pattern, changes its stops, or makes it the default',
  access: 'user',
  params: ofPattern,
  body: z.object({
    name: z.optional(Text),
    /** Not for the default pattern, whose stops are those of the route. */
    stop_ids: z.optional(StopIds),
    /** Makes it the default; the former default becomes a further pattern. */
    default: z.optional(z.literal(true)),
    ...validFrom,
    /**
     * The name that the user saw. If it is another by now, nothing is stored and the answer is `conflict`. Without it
     * the name changes unconditionally.
     */
    seen: z.optional(z.object({ name: z.optional(z.string()) })),
  }),
  response: patterns,
  errors: editing,
});

export const deleteRoutePattern = endpoint({
  method: 'DELETE',
  path: '/api/groups/pattern/{patternId}',
  summary:
    'Removes a further pattern from its route; its stops and their prices stay with other patterns',
  access: 'user',
  params: ofPattern,
  query: z.object(validFrom),
  response: patterns,
  errors: editing,
});
