// One change of several rows at once: all of them, or none.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Day, Id } from './primitives.ts';

/** Most rows that one call changes. */
export const MOST_SEVERAL = 200;

const ids = z.array(Id).check(z.minLength(1), z.maxLength(MOST_SEVERAL));

/** How many rows have become different; the others were like that before. */
const response = z.object({ changed: z.int() });

const errors = ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'] as const;

export const changeBuses = endpoint({
  method: 'POST',
  path: '/api/admin/buses/several',
  summary:
    'Takes buses out of the fleet or returns them, or, for administrators, puts them on a route from a local day on; a refusal names the place in `ids`',
  access: 'user',
  body: z.object({
    ids,
    change: z.union([
      z.object({ retired: z.boolean() }),
      z.object({ group_id: z.nullable(Id), valid_from: Day }),
    ]),
  }),
  response,
  errors,
});

const enabling = z.object({ ids, change: z.object({ enabled: z.boolean() }) });

export const changeUsers = endpoint({
  method: 'POST',
  path: '/api/admin/users/several',
  summary: 'Enables or disables users; a refusal names the place in `ids`',
  access: 'user',
  body: enabling,
  response,
  errors,
});

export const changeCameras = endpoint({
  method: 'POST',
  path: '/api/admin/cameras/several',
  summary: 'Takes cameras into use or out of it; a refusal names the place in `ids`',
  access: 'user',
  body: enabling,
  response,
  errors,
});
