import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Named, pageFields, pageOf } from './paging.ts';
import { Id, IdText, Moment, Text } from './primitives.ts';
import { changeOf } from './row-change.ts';
import { CameraKey } from './unit.ts';
import { UnitProtocol } from './unit-protocols.ts';

/** Highest number of a door. */
export const MOST_DOOR = 16;
const Door = z.nullable(z.int().check(z.minimum(1), z.maximum(MOST_DOOR)));

export const AdminCamera = z.object({
  id: Id,
  bus: Named,
  name: z.string(),
  stream_id: z.string(),
  /** A service camera of the cabin. */
  live: z.boolean(),
  door: Door,
  /** Whether its fragments get the events of the door. */
  counts: z.boolean(),
  /** In use. */
  enabled: z.boolean(),
  /** As the unit last reported; null before. */
  status: z.nullable(z.enum(['online', 'offline'])),
  status_at: z.nullable(Moment),
  /** Whether the unit of the bus is silent, so that nobody knows the state; null without a unit. */
  unit_silent: z.nullable(z.boolean()),
  /** That of the unit of the bus; null: the unit interface, or no unit. */
  unit_protocol: z.nullable(UnitProtocol),
  /** The channel of a terminal of JT/T 808 that `stream_id` names; null: it names none, and such a terminal sends no video. */
  channel: z.nullable(z.int()),
});
export type AdminCamera = z.infer<typeof AdminCamera>;

const CameraFields = {
  name: Text,
  stream_id: CameraKey,
  live: z.boolean(),
  door: Door,
  counts: z.boolean(),
  enabled: z.boolean(),
};

export const listCameras = endpoint({
  method: 'GET',
  path: '/api/admin/cameras',
  summary: 'Cameras, a page at a time',
  access: 'user',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(z.enum(['name', 'bus', 'stream_id', 'door', 'status'])),
    busId: z.optional(IdText),
    clientId: z.optional(IdText),
    kind: z.optional(z.enum(['door', 'service'])),
    /** `unknown`: in use, and its unit is silent or there is none. */
    status: z.optional(z.enum(['online', 'offline', 'unknown', 'disabled'])),
  }),
  response: pageOf(AdminCamera),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

const params = z.object({ cameraId: IdText });

export const findCamera = endpoint({
  method: 'GET',
  path: '/api/admin/cameras/{cameraId}',
  summary: 'A camera',
  access: 'user',
  params,
  response: AdminCamera,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const createCamera = endpoint({
  method: 'POST',
  path: '/api/admin/cameras',
  summary: 'Adds a camera to a bus',
  access: 'user',
  body: z.extend(z.partial(z.object(CameraFields)), {
    bus_id: Id,
    name: CameraFields.name,
    stream_id: CameraFields.stream_id,
  }),
  response: AdminCamera,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const updateCamera = endpoint({
  method: 'PUT',
  path: '/api/admin/cameras/{cameraId}',
  summary: 'Changes a camera; another door changes which people its fragments show, on all days',
  access: 'user',
  params,
  body: changeOf(CameraFields),
  response: AdminCamera,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});
