import * as z from 'zod/mini';
import { Customer } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { RouteGroup, RouteGroupWithTrack } from './groups.ts';
import { Day, Id, IdText, Moment, Zone } from './primitives.ts';

/** A unit that said nothing for this long is silent; its cameras show offline. */
export const SILENT_AFTER_MS = 5 * 60_000;

export const CameraStatus = z.enum(['online', 'offline']);
export type CameraStatus = z.infer<typeof CameraStatus>;

export const Camera = z.object({
  id: Id,
  name: z.string(),
  stream_id: z.string(),
  /** A service camera of the cabin; the others are recorded door cameras. */
  live: z.boolean(),
  liveurl: z.nullable(z.string()),
  /** In use, and not reported lost by a unit that speaks (docs/glossary.md). */
  enabled: z.boolean(),
  /** As the unit last said; offline while the unit is silent. */
  status: CameraStatus,
  /** The door it looks at; null for service cameras. */
  door: z.nullable(z.int()),
});
export type Camera = z.infer<typeof Camera>;

export const BusType = z.enum(['VMS', 'COUNTER']);
export type BusType = z.infer<typeof BusType>;

export const Bus = z.object({
  id: Id,
  name: z.string(),
  description: z.nullable(z.string()),
  type: BusType,
  timezone: Zone,
  gps_trackable: z.boolean(),
  /** Customer ids that the asking user may know. */
  clients: z.array(Id),
  group: z.nullable(RouteGroup),
  /** The unit's id; null for everybody but administrators. */
  group_device_id: z.nullable(z.string()),
  /** When the unit last sent anything. */
  last_seen_at: z.nullable(Moment),
  cameras: z.array(Camera),
});
export type Bus = z.infer<typeof Bus>;

export const BusList = z.object({
  items: z.array(Bus),
  number: z.int(),
  total: z.int(),
  /** The customers of these buses; names only where headings show. */
  customers: z.array(Customer),
});
export type BusList = z.infer<typeof BusList>;

export const listBuses = endpoint({
  method: 'GET',
  path: '/api/bus_list',
  summary: 'Every bus that the user may see, with its cameras and group',
  access: 'user',
  response: BusList,
  errors: ['unauthorized'],
});

export const BusInfo = z.extend(Bus, {
  group: z.nullable(RouteGroupWithTrack),
  /** Display settings as a JSON string, kept as they are. */
  config: z.string(),
  count_passengers_inside: z.boolean(),
  bus_calculation: z.boolean(),
  terminal_bus_stop_id: z.nullable(Id),
  capacity_seated: z.nullable(z.int()),
  capacity_standing: z.nullable(z.int()),
  /** The local day asked for, else today, and its bounds. */
  date: Day,
  day_start: Moment,
  day_end: Moment,
});
export type BusInfo = z.infer<typeof BusInfo>;

export const findBusInfo = endpoint({
  method: 'GET',
  path: '/api/bus/info/{busId}',
  summary: 'One bus, with what was valid on the given local day',
  access: 'user',
  params: z.object({ busId: IdText }),
  query: z.object({ date: z.optional(Day) }),
  response: BusInfo,
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});
