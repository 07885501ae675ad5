import * as z from 'zod/mini';
import { BusRoute, BusRouteWithTrack, CalculationType } from './bus-routes.ts';
import { endpoint } from './endpoint.ts';
import { RouteDirection } from './laps.ts';
import { Day, Id, IdText, MAX_TEXT_LENGTH, Point, Text } from './primitives.ts';
import { ProposedStop, RouteProposal, RouteReplacement } from './route-proposal.ts';

export const RouteStop = z.object({
  id: Id,
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  /** From 0 within its direction. */
  orderKey: z.int(),
  routeDirection: RouteDirection,
  groupId: Id,
  classifier_id: Id,
  terminal: z.nullable(z.enum(['first', 'last'])),
});
export type RouteStop = z.infer<typeof RouteStop>;

/** The local day from which a change is valid; today unless given. */
const validFrom = { valid_from: z.optional(Day) };
const OrderKey = z.int().check(z.minimum(0), z.maximum(10_000));
const reading = ['unauthorized', 'invalid_request', 'not_found'] as const;
const editing = ['unauthorized', 'invalid_request', 'no_right', 'not_found'] as const;
const placing = [...editing, 'conflict'] as const;
const page = { number: z.int(), total: z.int() };
const stops = z.object({
  ...page,
  items: z.array(RouteStop),
  /** Neighbouring stops of one direction within a metre: accepted, but probably drawn twice. */
  near_stops: z.array(z.object({ from: Id, to: Id })),
});
/**
 * Confirms neighbouring stops over 200 km apart, of one direction or where the bus turns. Without it they are a
 * conflict that names them: latitude and longitude may be swapped.
 */
const confirmFar = { confirm_far: z.optional(z.boolean()) };
const said = z.optional(z.enum(['true', 'false']));
const onDay = z.object({ date: z.optional(Day) });
const ofRoute = z.object({ groupId: IdText });
const terminals = { firstRouteStopId: Id, lastRouteStopId: z.nullable(Id) };
const lapOfBus = z.object({ lapId: Id, workplaceId: Id, ...validFrom });

export const findRoute = endpoint({
  method: 'GET',
  path: '/api/groups/{groupId}',
  summary: 'A route with its track as it is valid on a day',
  access: 'user',
  scope: 'buses',
  params: ofRoute,
  query: onDay,
  response: BusRouteWithTrack,
  errors: reading,
});

export const listRouteStops = endpoint({
  method: 'GET',
  path: '/api/groups/{groupId}/stops',
  summary: 'The stops of a route as they are valid on a day, forward ones first',
  access: 'user',
  scope: 'buses',
  params: ofRoute,
  query: onDay,
  response: stops,
  errors: reading,
});

export const StopEdit = z.object({
  name: Text,
  latitude: Point.shape.latitude,
  longitude: Point.shape.longitude,
  orderKey: OrderKey,
  routeDirection: RouteDirection,
});
export type StopEdit = z.infer<typeof StopEdit>;

export const insertRouteStop = endpoint({
  method: 'POST',
  path: '/api/groups/{groupId}/stop',
  summary: 'Adds a stop to a route unless it is there; later stops move back by one',
  access: 'user',
  params: ofRoute,
  body: z.extend(StopEdit, { ...validFrom, ...confirmFar }),
  response: stops,
  errors: placing,
});

export const updateRouteStop = endpoint({
  method: 'POST',
  path: '/api/groups/stop/{stopId}',
  summary: 'Renames, moves or reorders a stop',
  access: 'user',
  params: z.object({ stopId: IdText }),
  body: z.extend(z.partial(StopEdit), {
    ...validFrom,
    ...confirmFar,
    /**
     * The values of that day that the user saw. If one that this request changes is another by now, nothing is stored
     * and the answer is `conflict` with that field of `seen`. Without them the stop changes unconditionally.
     */
    seen: z.optional(z.partial(z.extend(StopEdit, { name: z.string() }))),
  }),
  response: stops,
  errors: placing,
});

export const deleteRouteStop = endpoint({
  method: 'DELETE',
  path: '/api/groups/stop/{stopId}',
  summary: 'Removes a stop from its route and all patterns; later stops move up by one',
  access: 'user',
  params: z.object({ stopId: IdText }),
  query: z.object({
    ...validFrom,
    confirm_far: said,
    /**
     * The name that the user saw. If the stop has another by now, it stays and the answer is `conflict`. Without it the
     * stop is removed unconditionally.
     */
    seen_name: z.optional(z.string().check(z.maxLength(MAX_TEXT_LENGTH))),
  }),
  response: stops,
  errors: placing,
});

export const setTerminalStops = endpoint({
  method: 'POST',
  path: '/api/groups/stops/terminal-stops',
  summary: 'The first and the last terminal of a route',
  access: 'user',
  body: z.object({
    ...terminals,
    ...validFrom,
    /**
     * The terminals of that day that the user saw. If one that this request changes is another by now, nothing is stored
     * and the answer is `conflict` with that field of `seen`. Without them the terminals change unconditionally.
     */
    seen: z.optional(z.object({ ...terminals, firstRouteStopId: z.nullable(Id) })),
  }),
  response: stops,
  errors: placing,
});

export const makeStopsFromLap = endpoint({
  method: 'POST',
  path: '/api/groups/stops/from-lap',
  summary: "Replaces a route's stops by the halts of a lap",
  access: 'user',
  body: z.extend(lapOfBus, { groupId: Id, ...confirmFar }),
  response: stops,
  errors: placing,
});

export const makeTrackFromLap = endpoint({
  method: 'POST',
  path: '/api/groups/{groupId}/track/from-lap',
  summary: "Replaces a route's track by the track of a lap",
  access: 'user',
  params: ofRoute,
  body: lapOfBus,
  response: BusRouteWithTrack,
  errors: editing,
});

export const generateStops = endpoint({
  method: 'POST',
  path: '/api/bus-stop/generate',
  summary: "Stops from a day's halts: proposed, or saved as those of the bus's route",
  access: 'user',
  body: z.object({ workplaceId: Id, date: Day, save: z.boolean(), ...validFrom, ...confirmFar }),
  /** Without `save`, with the changes to the route; null for a bus without one. */
  response: z.object({ items: z.array(ProposedStop), replaces: z.nullable(RouteReplacement) }),
  errors: placing,
});

export const proposeStopsFromLap = endpoint({
  method: 'GET',
  path: '/api/groups/{groupId}/stops/from-lap',
  summary: "The stops that a lap would give a route, and the changes to the route's own",
  access: 'user',
  params: ofRoute,
  query: z.extend(onDay, { lapId: IdText, workplaceId: IdText }),
  response: z.object({ items: z.array(ProposedStop), replaces: RouteReplacement }),
  errors: [...reading, 'too_large'],
});

/** The answer of both uploads: the content, and the route when it was saved. */
export const RouteFileAnswer = z.object({
  proposal: RouteProposal,
  /** Null for a new route, and until the user has chosen one of several. */
  replaces: z.nullable(RouteReplacement),
  group: z.nullable(BusRouteWithTrack),
});
export type RouteFileAnswer = z.infer<typeof RouteFileAnswer>;

/** Largest route file, bytes; and the largest unpacked size of a zip. */
export const MAX_ROUTE_FILE_BYTES = 64 * 1024 * 1024;
export const MAX_ROUTE_UNPACKED_BYTES = 1024 * 1024 * 1024;

const fileForm = {
  file: z.file(),
  /** True: returns the file's content and saves nothing. */
  preview: z.optional(z.enum(['true', 'false'])),
  /** The id of one of the proposal's choices. */
  choice: z.optional(Text),
  /** The place of a stop, from 0, in the proposal's `turn`: the route turns back there. */
  turn: z.optional(
    z.pipe(z.string().check(z.regex(/^\d{1,4}$/)), z.pipe(z.transform(Number), z.int())),
  ),
  /** Confirms stops that lie far apart. */
  confirm_far: said,
  ...validFrom,
};

export const createRouteFromFile = endpoint({
  method: 'POST',
  path: '/api/groups/from-file',
  summary: 'Creates a route from a GPX, KML, GeoJSON, CSV or GTFS file',
  access: 'user',
  bodyType: 'multipart',
  maxBodyBytes: MAX_ROUTE_FILE_BYTES,
  body: z.object({
    ...fileForm,
    clientId: IdText,
    /** The file's own name for the route unless given. */
    name: z.optional(Text),
    /** FIXED by default. */
    type_calculation: z.optional(CalculationType),
  }),
  response: RouteFileAnswer,
  errors: [...editing, 'too_large', 'unsupported_media_type', 'conflict'],
});

export const updateRouteFromFile = endpoint({
  method: 'PUT',
  path: '/api/groups/from-file',
  summary: 'Replaces track and stops of a route by those of a file',
  access: 'user',
  bodyType: 'multipart',
  maxBodyBytes: MAX_ROUTE_FILE_BYTES,
  body: z.object({ ...fileForm, groupId: IdText }),
  response: RouteFileAnswer,
  errors: [...editing, 'too_large', 'unsupported_media_type', 'conflict'],
});

const busOnRoute = z.object({ workplaceId: Id, groupId: Id, ...validFrom });

export const addBusToRoute = endpoint({
  method: 'PUT',
  path: '/api/groups/workplace',
  summary: 'Puts a bus on a route from a local day on',
  access: 'admin',
  body: busOnRoute,
  errors: editing,
});

export const removeBusFromRoute = endpoint({
  method: 'DELETE',
  path: '/api/groups/workplace',
  summary: 'Takes a bus off its route from a local day on',
  access: 'admin',
  query: z.object({ workplaceId: IdText, ...validFrom }),
  errors: editing,
});

/** How a route's revenue is calculated. */
export const updateRoute = endpoint({
  method: 'PUT',
  path: '/api/groups/{groupId}',
  summary: 'Renames a route or changes how its revenue is calculated',
  access: 'user',
  params: ofRoute,
  body: z.object({
    name: z.optional(Text),
    type_calculation: z.optional(CalculationType),
    /**
     * The values that the user saw. If one that this request changes is another by now, nothing is stored and the
     * answer is `conflict` with that field of `seen`. Without them the route changes unconditionally.
     */
    seen: z.optional(z.partial(z.pick(BusRoute, { name: true, type_calculation: true }))),
  }),
  response: BusRoute,
  errors: [...editing, 'conflict'],
});
