import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, IdText, Moment } from './primitives.ts';

/** Most rows of an answer, the latest. */
export const MOST_HAPPENINGS = 12;

/** Something that happened to the unit of a bus. */
export const Happening = z.object({
  /** Of the kind's own row. */
  id: Id,
  at: Moment,
  /**
   * `received`: the video of a camera has arrived. `asked`, `done`, `failed`, `cancelled`: a command of the server.
   * `live`: a live stream that ended. `silent`: the unit sent nothing until then.
   */
  kind: z.enum(['received', 'asked', 'done', 'failed', 'cancelled', 'live', 'silent']),
  /** Of `received`, `live`, and of commands about one. */
  camera: z.nullable(z.string()),
  /** The kind of the command, as in the unit interface. */
  command: z.nullable(z.string()),
  /** Of `received`. */
  bytes: z.nullable(z.int()),
  /** Of `live` and `silent`: how long, s. */
  seconds: z.nullable(z.int()),
});
export type Happening = z.infer<typeof Happening>;

export const listHappenings = endpoint({
  method: 'GET',
  path: '/api/admin/buses/{busId}/happenings',
  summary: 'What happened last to the unit of a bus: uploads, commands, live streams, silence',
  access: 'user',
  params: z.object({ busId: IdText }),
  response: z.object({ items: z.array(Happening) }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
