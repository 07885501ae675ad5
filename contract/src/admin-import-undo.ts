// Loaded tables, and undoing one.
import * as z from 'zod/mini';
import { ImportKind } from './admin-import.ts';
import { endpoint } from './endpoint.ts';
import { Id, IdText, Moment } from './primitives.ts';

/** Hours in which a loaded table can be undone. */
export const UNDO_HOURS = 24;

/** Most tables of an answer. */
export const MOST_LOADED = 20;

/** A table that was loaded and can still be undone, or was. */
export const LoadedTable = z.object({
  id: Id,
  at: Moment,
  /** The login of the user who loaded it. */
  user: z.string(),
  file: z.string(),
  created: z.int(),
  changed: z.int(),
  undone_at: z.nullable(Moment),
});
export type LoadedTable = z.infer<typeof LoadedTable>;

export const listImports = endpoint({
  method: 'GET',
  path: '/api/admin/imports',
  summary:
    "One's own tables of a kind of the last 24 hours, to administrators all; the latest first",
  access: 'user',
  query: z.object({ kind: ImportKind }),
  response: z.object({ items: z.array(LoadedTable) }),
  errors: ['unauthorized', 'invalid_request', 'no_right'],
});

/**
 * A reason why an object cannot be undone. Somebody has changed it since, or something depends on it: it has
 * customers, users, buses, units, cameras, routes, stops, API keys, settings of its own; a unit has sent records, or was
 * given commands; there is video, laps, fares and revenue, counts by hand; a user has signed in, asked for reports,
 * loaded tables; or it is in use in another way.
 */
export const UndoReason = z.enum([
  ...(['changed', 'used', 'customers', 'users', 'buses', 'units', 'cameras', 'routes'] as const),
  ...(['stops', 'keys', 'settings', 'records', 'commands', 'video', 'laps', 'money'] as const),
  ...(['counts', 'sign_ins', 'reports', 'tables'] as const),
]);
export type UndoReason = z.infer<typeof UndoReason>;

/** An object because of which a table cannot be undone. */
export const UndoObstacle = z.object({
  name: z.string(),
  /** All of them, each once. */
  reasons: z.array(UndoReason),
});
export type UndoObstacle = z.infer<typeof UndoObstacle>;

/** Most obstacles of an answer. */
export const MOST_OBSTACLES = 20;

export const undoImport = endpoint({
  method: 'POST',
  path: '/api/admin/imports/{importId}/undo',
  summary:
    'Deletes what a loaded table has created and sets back what it has changed; nothing if one object is in use',
  access: 'user',
  params: z.object({ importId: IdText }),
  response: z.object({
    undone: z.boolean(),
    /** Why not; the first MOST_OBSTACLES. */
    obstacles: z.array(UndoObstacle),
  }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict', 'unavailable'],
});
