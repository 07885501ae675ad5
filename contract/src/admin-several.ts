// One change of several rows at once: all of them, or none.
import * as z from 'zod/mini';
import { BusOwner } from './admin-buses.ts';
import { endpoint } from './endpoint.ts';
import { Named } from './paging.ts';
import { Day, Id } from './primitives.ts';
import { Retention, RetentionDefaults } from './retention.ts';

/** Most rows that one call changes. */
export const MOST_SEVERAL = 1000;

const ids = z.array(Id).check(z.minLength(1), z.maxLength(MOST_SEVERAL));

/** A row for which a change is refused, and then for all: the error that the change would answer. */
export const RefusedRow = z.object({
  id: Id,
  error: z.string(),
  message: z.string(),
  /** The field of the change. */
  field: z.optional(z.string()),
});
export type RefusedRow = z.infer<typeof RefusedRow>;

const response = z.object({
  /** Rows that have become different; the others were like that before. */
  changed: z.int(),
  /** Their ids. */
  changed_ids: z.array(Id),
  /** The rows for which the change is refused; only a preview has them. */
  refused: z.optional(z.array(RefusedRow)),
});

/** True: the answer says what would become different and what is refused, and nothing is written. */
const preview = z._default(z.boolean(), false);

const errors = ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'] as const;

export const changeBuses = endpoint({
  method: 'POST',
  path: '/api/admin/buses/several',
  summary:
    'Takes buses out of the fleet or returns them, gives them to other customers from the next day on, or, for administrators, puts them on a route from a local day on; a refusal names the place in `ids`',
  access: 'user',
  body: z.object({
    ...{ ids, preview },
    change: z.union([
      z.object({ retired: z.boolean() }),
      z.object({ group_id: z.nullable(Id), valid_from: Day }),
      z.object({
        client_ids: z.array(Id).check(z.minLength(1), z.maxLength(20)),
        /** The first days of the new customers as a preview has said them; on other days the change is refused. */
        seen: z.optional(
          z.array(z.object({ id: Id, from: z.nullable(Day) })).check(z.maxLength(MOST_SEVERAL)),
        ),
      }),
    ]),
  }),
  response: z.extend(response, {
    /** The routes that the changed buses have until then on that day; only a preview of a route has them. */
    former_routes: z.optional(z.array(z.object({ id: Id, route: z.nullable(Named) }))),
    /** The customers of the changed buses that the user sees, and the effects; only a preview of customers has them. */
    former_clients: z.optional(
      z.array(
        z.object({
          id: Id,
          clients: z.array(Named),
          /** The first local day of the new customer; null: all days are its own, the bus has had no data. */
          from: z.nullable(Day),
          /** Whether a route of the former ones ends with the day before. */
          route_ends: z.boolean(),
          /** Whether fare and driver's percent are 0 from then on. */
          fare_ends: z.boolean(),
          /** The owners after the change that the user may know, the latest first. */
          owners: z.array(BusOwner),
        }),
      ),
    ),
  }),
  errors,
});

const enabling = z.object({ ...{ ids, preview }, change: z.object({ enabled: z.boolean() }) });

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

export const changeUnits = endpoint({
  method: 'POST',
  path: '/api/admin/units/several',
  summary: 'Enables or disables units; a refusal names the place in `ids`',
  access: 'user',
  body: enabling,
  response,
  errors,
});

export const changeCustomers = endpoint({
  method: 'POST',
  path: '/api/admin/customers/several',
  summary: 'Enables or disables customers; a refusal names the place in `ids`',
  access: 'admin',
  body: enabling,
  response,
  errors,
});

export const changeUnknownUnits = endpoint({
  method: 'POST',
  path: '/api/admin/unknown-units/several',
  summary:
    'Says whether ids that no unit has need no attention; one that is no longer there is passed over',
  access: 'admin',
  body: z.object({ ...{ ids, preview }, change: z.object({ ignored: z.boolean() }) }),
  response,
  errors: ['unauthorized', 'invalid_request', 'no_right'],
});

export const changeRetentions = endpoint({
  method: 'POST',
  path: '/api/retention/several',
  summary:
    'Sets how long the video, files and positions of customers are kept; what is absent stays',
  access: 'admin',
  body: z.object({ ...{ ids, preview }, change: z.partial(Retention) }),
  response: z.extend(response, {
    /** The days of the changed customers until then, and those of the installation; only a preview has them. */
    former_days: z.optional(
      z.object({
        customers: z.array(z.extend(Retention, { id: Id })),
        defaults: RetentionDefaults,
      }),
    ),
  }),
  errors,
});
