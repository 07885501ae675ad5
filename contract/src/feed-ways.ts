import * as z from 'zod/mini';
import { RouteDirection } from './laps.ts';

/** The ordered stops that trips of one route and direction of a GTFS feed share. */
export const FeedWay = z.object({
  id: z.string(),
  /** The same for all ways of one route. */
  route: z.int(),
  direction: RouteDirection,
  name: z.string(),
  stops: z.int(),
  trips: z.int(),
});
export type FeedWay = z.infer<typeof FeedWay>;
