// Routes and stops as places, for those who administer them.
import * as z from 'zod/mini';
import { CalculationType } from './bus-routes.ts';
import { endpoint } from './endpoint.ts';
import { Named, pageFields, pageOf } from './paging.ts';
import { Id, IdText, Point, Text } from './primitives.ts';
import { changeOf } from './row-change.ts';

export const AdminGroup = z.object({
  id: Id,
  name: z.string(),
  client: Named,
  type_calculation: CalculationType,
  /** Stops and buses that are valid on it now. */
  stops: z.int(),
  buses: z.int(),
});
export type AdminGroup = z.infer<typeof AdminGroup>;

export const listGroups = endpoint({
  method: 'GET',
  path: '/api/admin/groups',
  summary: 'Routes, a page at a time',
  access: 'user',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(z.enum(['name', 'client', 'stops', 'buses'])),
    clientId: z.optional(IdText),
  }),
  response: pageOf(AdminGroup),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

const group = z.object({ id: IdText });

export const findGroup = endpoint({
  method: 'GET',
  path: '/api/admin/groups/{id}',
  summary: 'A route',
  access: 'user',
  params: group,
  response: AdminGroup,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const createGroup = endpoint({
  method: 'POST',
  path: '/api/admin/groups',
  summary: 'Creates a route without stops',
  access: 'user',
  body: z.object({
    client_id: Id,
    name: Text,
    type_calculation: z._default(CalculationType, 'FIXED'),
  }),
  response: AdminGroup,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const deleteGroup = endpoint({
  method: 'DELETE',
  path: '/api/admin/groups/{id}',
  summary: 'Deletes a route that no bus is on now or later; past days keep it',
  access: 'user',
  params: group,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

/** A stop as a place, to which stops of routes of one customer point. */
export const AdminClassifier = z.object({
  id: Id,
  name: z.string(),
  client: Named,
  latitude: z.number(),
  longitude: z.number(),
  /** Routes that stop there now. */
  groups: z.int(),
});
export type AdminClassifier = z.infer<typeof AdminClassifier>;

export const listClassifiers = endpoint({
  method: 'GET',
  path: '/api/admin/classifiers',
  summary: 'Stops as places, a page at a time',
  access: 'user',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(z.enum(['name', 'client', 'groups'])),
    clientId: z.optional(IdText),
  }),
  response: pageOf(AdminClassifier),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

const classifier = z.object({ classifierId: IdText });

export const findClassifier = endpoint({
  method: 'GET',
  path: '/api/admin/classifiers/{classifierId}',
  summary: 'A stop as a place',
  access: 'user',
  params: classifier,
  response: AdminClassifier,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const updateClassifier = endpoint({
  method: 'PUT',
  path: '/api/admin/classifiers/{classifierId}',
  summary: 'Renames or moves a place; the stops of routes stay',
  access: 'user',
  params: classifier,
  body: changeOf({ name: Text, ...Point.shape }),
  response: AdminClassifier,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const mergeClassifiers = endpoint({
  method: 'POST',
  path: '/api/admin/classifiers/{classifierId}/merge',
  summary: 'Merges a place into another one of its customer, with its stops, laps and statistics',
  access: 'user',
  params: classifier,
  body: z.object({ into: Id }),
  response: AdminClassifier,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});
