// The commands that a unit gets.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, IdText, Moment } from './primitives.ts';
import { CameraKey, Sequence, StreamId } from './unit.ts';

/** Longest long-poll for commands, seconds. */
export const MAX_COMMAND_WAIT_S = 30;

export const CommandKind = z.enum([
  'fetch_segment',
  'fetch_range',
  'stop_fetch',
  'report_camera_states',
  'start_live',
  'stop_live',
]);
export type CommandKind = z.infer<typeof CommandKind>;

export const UnitCommand = z.object({
  id: Id,
  kind: CommandKind,
  created_at: Moment,
  /** For fetch_segment: the fragment to upload, by its announcement. */
  segment: z.optional(
    z.object({
      stream: StreamId,
      seq: Sequence,
      camera: CameraKey,
      start_time: Moment,
      end_time: Moment,
    }),
  ),
  /** For fetch_range: upload what the registrar has of this range and the unit has not announced. */
  range: z.optional(z.object({ camera: CameraKey, start_time: Moment, end_time: Moment })),
  /** For stop_fetch: the ids of cancelled commands. */
  stop: z.optional(z.object({ commands: z.array(Id) })),
  /** For start_live and stop_live: the camera, and the base address of its segments and LIVE_PLAYLIST. */
  live: z.optional(z.object({ camera: CameraKey, path: z.string() })),
});
export type UnitCommand = z.infer<typeof UnitCommand>;

export const pollCommands = endpoint({
  method: 'GET',
  path: '/unit/v1/commands',
  summary: 'Waits until there is a command for the unit, or until the timeout',
  access: 'unit',
  query: z.object({
    /** Seconds to wait when there is none. */
    wait: z._default(
      z.pipe(
        z.string().check(z.regex(/^\d{1,2}$/)),
        z.pipe(z.transform(Number), z.int().check(z.maximum(MAX_COMMAND_WAIT_S))),
      ),
      0,
    ),
  }),
  response: z.object({ commands: z.array(UnitCommand) }),
  errors: ['unauthorized', 'invalid_request'],
});

export const acknowledgeCommand = endpoint({
  method: 'POST',
  path: '/unit/v1/commands/{commandId}/ack',
  summary: 'Acknowledges a command; a command is delivered again until it is acknowledged',
  access: 'unit',
  params: z.object({ commandId: IdText }),
  body: z.object({
    result: z.enum(['accepted', 'done', 'failed']),
    /** Why it failed, for users. */
    reason: z.optional(z.string().check(z.maxLength(255))),
    /** With `failed`: another attempt cannot help, for instance because the video is gone. */
    final: z.optional(z.boolean()),
  }),
  response: z.object({ id: Id, result: z.enum(['accepted', 'done', 'failed']) }),
  errors: ['unauthorized', 'invalid_request', 'not_found', 'conflict', 'too_many_attempts'],
});
