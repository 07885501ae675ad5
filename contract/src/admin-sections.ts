import * as z from 'zod/mini';
import { ClosedPort } from './admin-unit-ports.ts';
import { endpoint } from './endpoint.ts';
import { Named } from './paging.ts';

/** The sections of the administration in the menu's order. */
export const AdminSection = z.enum([
  'customers',
  'users',
  'keys',
  'buses',
  'units',
  'unknown_units',
  'cameras',
  'groups',
  'classifiers',
  'days',
  'news',
  'messages',
  'audit',
  'upstreams',
  'jobs',
  'storage',
]);
export type AdminSection = z.infer<typeof AdminSection>;

/** The counts in the menu of the administration, and the customers to choose from. */
export const AdminOverview = z.object({
  /** The sections that the user may open, and how many objects each has; null where the number says nothing. */
  sections: z.array(z.object({ section: AdminSection, count: z.nullable(z.int()) })),
  /** The customers of the user, by name. */
  clients: z.array(Named),
  /** For administrators: why the server works without video; null: it works with it. */
  video_off: z.nullable(z.enum(['old_ffmpeg', 'no_ffmpeg'])),
  /** For administrators: ports of unit protocols that could not be opened. */
  closed_ports: z.array(ClosedPort),
});
export type AdminOverview = z.infer<typeof AdminOverview>;

export const findAdminOverview = endpoint({
  method: 'GET',
  path: '/api/admin',
  summary: 'The sections of the administration with their counts, and the customers of the user',
  access: 'user',
  response: AdminOverview,
  errors: ['unauthorized', 'no_right'],
});
