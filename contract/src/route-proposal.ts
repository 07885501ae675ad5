import * as z from 'zod/mini';
import { FeedWay } from './feed-ways.ts';
import { RouteDirection } from './laps.ts';
import { Point } from './primitives.ts';

/** A stop that could be made. */
export const ProposedStop = z.object({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  routeDirection: RouteDirection,
});
export type ProposedStop = z.infer<typeof ProposedStop>;

/** The content of a route file; `choices` when the user must choose one of several. */
export const RouteProposal = z.object({
  format: z.enum(['gpx', 'kml', 'geojson', 'csv', 'gtfs']),
  name: z.nullable(z.string()),
  /** The line; of a single one that jumps, and of which the user chooses a piece, all of it. */
  track: z.array(Point),
  /** The 50 longest gaps of a kilometre or more in the track, of which the file has pieces only. */
  jumps: z.array(z.object({ from: Point, to: Point, metres: z.int() })),
  stops: z.array(ProposedStop),
  choices: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      stops: z.int(),
      points: z.int(),
      /** The longest gap in metres, of a line that is joined over a kilometre or more. */
      jump_m: z.optional(z.int()),
    }),
  ),
  /**
   * The chosen one. Of a GTFS feed any ways of one route can be chosen: `there`, or `there+back`, by their ids; several
   * such patterns with commas between them, the default first.
   */
  choice: z.nullable(z.string()),
  /**
   * The ways that trips of a GTFS feed drive, by route and direction, the commonest first; of a feed with more than 50,000
   * ways those of the chosen route. Empty for other files.
   */
  ways: z.array(FeedWay),
  /**
   * Of a loop whose stops have no directions: the names of its stops, and where buses may turn back; the farthest from
   * the start is suggested. Without a turn all stops are FORWARD, unless the file tells one: it lists a stop twice in a
   * row, here by the first of both. Null for other files.
   */
  turn: z.nullable(
    z.object({
      stops: z.array(z.nullable(z.string())),
      suggested: z.int(),
      chosen: z.nullable(z.int()),
      told: z.nullable(z.int()),
    }),
  ),
  /** The patterns that the choice gives the route beside the default one, whose stops these are. */
  patterns: z.array(z.object({ name: z.string(), stops: z.int() })),
  /** Notes for people about what was left out or assumed. */
  notes: z.array(z.string()),
});
export type RouteProposal = z.infer<typeof RouteProposal>;

/** The changes that a file or a lap makes to an existing route from its valid-from day on. */
export const RouteReplacement = z.object({
  /** False: the track stays. */
  track: z.boolean(),
  /** False: the stops stay. */
  stops: z.boolean(),
  stops_kept: z.int(),
  stops_added: z.int(),
  stops_removed: z.int(),
  /** Prices of rides from or to removed stops. */
  prices_removed: z.int(),
  /**
   * Names of the further patterns that end on that day or a later one: the file does not have them, they keep fewer than
   * two stops, or those of another pattern.
   */
  patterns_removed: z.array(z.string()),
});
export type RouteReplacement = z.infer<typeof RouteReplacement>;
