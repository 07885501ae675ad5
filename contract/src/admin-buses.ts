import * as z from 'zod/mini';
import { BusState, BusType } from './buses.ts';
import { endpoint } from './endpoint.ts';
import { Named, pageFields, pageOf, YesNo } from './paging.ts';
import { Day, Id, IdText, Moment, Text, Zone } from './primitives.ts';
import { changeOf } from './row-change.ts';

/** The counter of a bus's people: its unit, or a program that looks at the video. */
export const CountSource = z.enum(['unit', 'video']);

/** Settings of a bus that are valid from a local day on, until the next ones. */
export const BusSettings = z.object({
  valid_from: Day,
  group: z.nullable(Named),
  timezone: Zone,
  count_source: CountSource,
});
export type BusSettings = z.infer<typeof BusSettings>;

/** The local days of a bus that belong to a customer. */
export const BusOwner = z.object({
  client: Named,
  /** Null: from the first one on. */
  from_day: z.nullable(Day),
  /** The last one; null: it is the customer's bus now. */
  to_day: z.nullable(Day),
});
export type BusOwner = z.infer<typeof BusOwner>;

/** Most places of one kind in a bus. */
export const MOST_PLACES = 500;
const Places = z.nullable(z.int().check(z.minimum(0), z.maximum(MOST_PLACES)));

export const AdminBus = z.object({
  id: Id,
  name: z.string(),
  description: z.nullable(z.string()),
  type: BusType,
  /** The customers that the user may know, by name: those whose bus it is now. */
  clients: z.array(Named),
  /**
   * Set on the day on which the bus passes to other customers: their first local day, and the owners of the day until
   * then that the user may know, by name.
   */
  passes: z.nullable(z.object({ from: Day, until_then: z.array(Named) })),
  /** The present settings. */
  group: z.nullable(Named),
  timezone: Zone,
  count_source: CountSource,
  /** The local day from which that is valid; null for a bus that never had settings. */
  valid_from: z.nullable(Day),
  capacity_seated: Places,
  /** All places where nobody has told how many are seats. */
  capacity_standing: Places,
  gps_trackable: z.boolean(),
  count_passengers_inside: z.boolean(),
  bus_calculation: z.boolean(),
  /** Display settings as a JSON object; keys that the product does not know are kept. */
  config: z.string(),
  unit: z.nullable(z.object({ id: Id, device_id: z.string(), last_seen_at: z.nullable(Moment) })),
  /** Null without a unit. */
  state: z.nullable(BusState),
  cameras: z.array(
    z.object({
      id: Id,
      name: z.string(),
      enabled: z.boolean(),
      status: z.nullable(z.enum(['online', 'offline'])),
    }),
  ),
  /** When it was taken out of the fleet; null: it is in it. */
  retired_at: z.nullable(Moment),
  created_at: Moment,
});
export type AdminBus = z.infer<typeof AdminBus>;

/** Longest display settings, characters. */
const MOST_CONFIG = 10_000;
const Config = z.string().check(
  z.maxLength(MOST_CONFIG),
  z.refine((text) => {
    try {
      const value: unknown = JSON.parse(text);
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    } catch {
      return false;
    }
  }, 'must be a JSON object'),
);

/** Most customers of a bus. */
const MOST_CLIENTS = 20;

const BusFields = {
  name: Text,
  description: z.nullable(Text),
  type: BusType,
  client_ids: z.array(Id).check(z.minLength(1), z.maxLength(MOST_CLIENTS)),
  capacity_seated: Places,
  capacity_standing: Places,
  gps_trackable: z.boolean(),
  count_passengers_inside: z.boolean(),
  bus_calculation: z.boolean(),
  config: Config,
};

export const listAdminBuses = endpoint({
  method: 'GET',
  path: '/api/admin/buses',
  summary: 'Buses with their units, cameras and present settings, a page at a time',
  access: 'user',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(z.enum(['name', 'client', 'group', 'places', 'device', 'last_seen_at'])),
    clientId: z.optional(IdText),
    groupId: z.optional(IdText),
    state: z.optional(z.enum([...BusState.options, 'none'])),
    /** Buses that were taken out of the fleet instead of those in it. */
    retired: z.optional(YesNo),
  }),
  response: pageOf(AdminBus),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

const params = z.object({ busId: IdText });

export const findAdminBus = endpoint({
  method: 'GET',
  path: '/api/admin/buses/{busId}',
  summary: 'A bus with all of its settings and customers, the latest first',
  access: 'user',
  params,
  response: z.extend(AdminBus, {
    settings: z.array(BusSettings),
    /** The owners that the user may know. */
    owners: z.array(BusOwner),
  }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const createBus = endpoint({
  method: 'POST',
  path: '/api/admin/buses',
  summary: 'Creates a bus of one customer or several',
  access: 'user',
  body: z.extend(z.partial(z.object(BusFields)), {
    name: BusFields.name,
    client_ids: BusFields.client_ids,
    timezone: Zone,
    group_id: z.optional(z.nullable(Id)),
    count_source: z.optional(CountSource),
  }),
  response: AdminBus,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const updateBus = endpoint({
  method: 'PUT',
  path: '/api/admin/buses/{busId}',
  summary:
    'Changes a bus; a retired one leaves the lists and keeps its history; new customers own the days after the present one',
  access: 'user',
  params,
  body: changeOf({ ...BusFields, retired: z.boolean() }),
  response: AdminBus,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const setBusSettings = endpoint({
  method: 'PUT',
  path: '/api/admin/buses/{busId}/settings',
  summary:
    'Sets time zone and counter of a bus from a local day on, and its route if an administrator asks',
  access: 'user',
  params,
  body: z.extend(
    changeOf({ group_id: z.nullable(Id), timezone: Zone, count_source: CountSource }),
    { valid_from: Day },
  ),
  response: AdminBus,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});
