import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Fragment } from './fragments.ts';
import { Id, IdText } from './primitives.ts';
import { changeOf } from './row-change.ts';

export const keepFragment = endpoint({
  method: 'PUT',
  path: '/api/segments/keep/{segmentId}',
  summary: 'Marks the video of a fragment as kept, whatever its age, or removes the mark',
  access: 'user',
  params: z.object({ segmentId: IdText }),
  body: z.object({ keep: z.boolean() }),
  response: Fragment,
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

const Days = z.nullable(z.int().check(z.minimum(1), z.maximum(36_500)));

/** A customer's retention in days; null where the installation's applies. */
export const Retention = z.object({
  video_days: Days,
  /** Merged files and exports. */
  files_days: Days,
  positions_days: Days,
});
export type Retention = z.infer<typeof Retention>;

/** The installation's retention in days. */
export const RetentionDefaults = z.object({
  ...{ video_days: z.int(), files_days: z.int(), positions_days: z.int() },
});

const client = z.object({ clientId: IdText });

export const findRetention = endpoint({
  method: 'GET',
  path: '/api/retention/{clientId}',
  summary: "How long a customer's video, files and positions are kept",
  access: 'admin',
  params: client,
  response: z.extend(Retention, {
    client_id: Id,
    defaults: RetentionDefaults,
  }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const setRetention = endpoint({
  method: 'PUT',
  path: '/api/retention/{clientId}',
  summary: "Sets how long a customer's video, files and positions are kept; what is absent stays",
  access: 'admin',
  params: client,
  body: changeOf(Retention.shape),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});
