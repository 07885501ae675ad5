import * as z from 'zod/mini';
import { Customer } from './auth.ts';
import { BusRoute, BusRouteWithTrack } from './bus-routes.ts';
import { endpoint } from './endpoint.ts';
import { FailReason } from './fail-reasons.ts';
import { BUS_LIST_PATH } from './paths.ts';
import { Day, Id, IdText, Moment, Zone } from './primitives.ts';

/** A unit that sent nothing for this long is silent; its cameras are shown offline. */
export const SILENT_AFTER_MS = 5 * 60_000;

/** A bus that drove in this time is moving, ms. */
export const MOVING_MS = 60_000;

/** A unit that sent nothing for so long is missed wherever its bus is, ms: longer than a weekend in the depot. */
export const LONG_SILENT_MS = 3 * 86_400_000;

/** Of a bus's unit. Silent: nothing for 5 minutes; moving: over 5 km/h in the last minute. */
export const UnitState = z.enum(['moving', 'standing', 'silent']);
export type UnitState = z.infer<typeof UnitState>;

/** The same of a bus among others; a silent unit that nobody misses is off, as in a depot at night. */
export const BusState = z.enum([...UnitState.options, 'off']);
export type BusState = z.infer<typeof BusState>;

export const CameraStatus = z.enum(['online', 'offline']);
export type CameraStatus = z.infer<typeof CameraStatus>;

export const Camera = z.object({
  id: Id,
  name: z.string(),
  stream_id: z.string(),
  /** A service camera of the cabin; the others are recorded door cameras. */
  live: z.boolean(),
  /** The address that starts its live stream (POST); null where there is none. Made by the server. */
  liveurl: z.nullable(z.string()),
  /** In use, and not reported offline by a unit that is not silent (docs/glossary.md). */
  enabled: z.boolean(),
  /** As the unit last reported; offline while the unit is silent. */
  status: CameraStatus,
  /** The door in view; null for service cameras. */
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
  /** Customer ids that the user may know: those whose bus it is now. */
  clients: z.array(Id),
  /**
   * Set on the day on which the bus passes to other customers: their first local day, and the owners of the day until
   * then that the user may know. Lists show the bus under those.
   */
  passes: z.nullable(z.object({ from: Day, until_then: z.array(Id) })),
  group: z.nullable(BusRoute),
  /** The unit's id; null for users who are not administrators. */
  group_device_id: z.nullable(z.string()),
  /**
   * Of a bus that has no unit: when the last one left it; null where none ever did. Null: a unit sits in the bus, or it
   * is no longer the user's.
   */
  without_unit: z.nullable(z.object({ since: z.nullable(Moment) })),
  /** When the unit last sent anything. */
  last_seen_at: z.nullable(Moment),
  cameras: z.array(Camera),
});
export type Bus = z.infer<typeof Bus>;

export const BusList = z.object({
  items: z.array(Bus),
  number: z.int(),
  total: z.int(),
  /** The customers of these buses, which headings show; for administrators those without buses, too. */
  customers: z.array(Customer),
});
export type BusList = z.infer<typeof BusList>;

export const listBuses = endpoint({
  method: 'GET',
  path: BUS_LIST_PATH,
  summary: 'Every bus that the user may see, with its cameras and route',
  access: 'user',
  scope: 'buses',
  tagged: true,
  response: BusList,
  errors: ['unauthorized'],
});

export const BusInfo = z.extend(Bus, {
  group: z.nullable(BusRouteWithTrack),
  /** Display settings as a JSON string, stored as sent. */
  config: z.string(),
  count_passengers_inside: z.boolean(),
  bus_calculation: z.boolean(),
  terminal_bus_stop_id: z.nullable(Id),
  capacity_seated: z.nullable(z.int()),
  capacity_standing: z.nullable(z.int()),
  /** The latest local day with counts or fragments, today or earlier; null: there is none. */
  latest_day: z.nullable(Day),
  /** The user's last local day of a bus that has passed to another customer; null: it is the user's now. */
  last_own_day: z.nullable(Day),
  /** The requested local day, else today, and its bounds. */
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
  scope: 'buses',
  params: z.object({ busId: IdText }),
  query: z.object({ date: z.optional(Day) }),
  tagged: true,
  response: BusInfo,
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

/** Timeout of a unit's report of its cameras' states, ms. */
export const STATUS_TIMEOUT_MS = 60_000;

/** After this time without progress, screens show that the request waits for the unit. */
export const REQUEST_QUIET_MS = 20_000;

/** A range of recordings requested from the unit. */
export const RangeRequest = z.object({
  id: Id,
  camera_ids: z.array(Id),
  start_time: Moment,
  end_time: Moment,
  asked_at: Moment,
  /**
   * `accepted`: the unit is working on it; `done`: nothing more is expected; `failed`: nothing came, or the unit could
   * not say what it has, with the reason.
   */
  state: z.enum(['asked', 'accepted', 'done', 'failed', 'cancelled']),
  reason: z.nullable(FailReason),
  /** The unit's own words about it; null when it said nothing. */
  detail: z.nullable(z.string()),
  /** The announced fragments of the range, and how many of them have arrived. */
  total: z.int(),
  here: z.int(),
  /** The arrived share of the recorded time, uploads with their share; never decreases. */
  percent: z.int(),
  /**
   * Set when nothing came for REQUEST_QUIET_MS: `link` if the unit sends nothing at all, `gone_unit` if that is one that
   * has left the bus, `depot` if the unit uploads by Wi-Fi only, else `unit`.
   */
  waits_for: z.nullable(z.enum(['link', 'gone_unit', 'depot', 'unit'])),
  /** Set while a fragment that is still expected comes again after a failed attempt: that of the next one. */
  failed_try: z.nullable(
    z.object({
      reason: FailReason,
      /** The unit's own words about it; null when it said nothing. */
      detail: z.nullable(z.string()),
      /** When the unit is asked again; null when it was asked by now. */
      next_at: z.nullable(Moment),
    }),
  ),
});
export type RangeRequest = z.infer<typeof RangeRequest>;

/** The states of a bus's cameras, and the requests to its unit. */
export const BusStatus = z.object({
  workplace_id: Id,
  /** The unit that sits in the bus. */
  deviceId: z.nullable(Id),
  /** When the unit last sent anything. */
  last_seen_at: z.nullable(Moment),
  cameras: z.array(
    z.object({
      camera_id: Id,
      enabled: z.boolean(),
      status: CameraStatus,
      /** When the unit last reported this camera. */
      status_at: z.nullable(Moment),
    }),
  ),
  /** The last request for camera states; `timed_out`: no report within STATUS_TIMEOUT_MS. */
  update: z.nullable(
    z.object({
      asked_at: Moment,
      state: z.enum(['asked', 'done', 'failed', 'timed_out']),
      /** Null unless it failed. */
      reason: z.nullable(FailReason),
      /** The unit's own words about it; null when it said nothing. */
      detail: z.nullable(z.string()),
    }),
  ),
  /** Ranges requested from the registrar in the last 24 hours, the newest first. */
  requests: z.array(RangeRequest),
});
export type BusStatus = z.infer<typeof BusStatus>;

export const findBusStatus = endpoint({
  method: 'GET',
  path: '/api/workplaces/status/{busId}',
  summary: "The states of a bus's cameras, and the requests to its unit",
  access: 'user',
  scope: 'buses',
  params: z.object({ busId: IdText }),
  response: BusStatus,
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

export const updateBusStatus = endpoint({
  method: 'POST',
  path: '/api/workplaces/status/{busId}',
  summary: 'Requests the states of the cameras of a bus from its unit; joins an open request',
  access: 'user',
  params: z.object({ busId: IdText }),
  response: BusStatus,
  errors: ['unauthorized', 'invalid_request', 'not_found', 'conflict'],
});
