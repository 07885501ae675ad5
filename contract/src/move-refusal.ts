// Screens read it only once a move of a unit is refused.
import * as z from 'zod/mini';
import { Moment } from './primitives.ts';

/** The cause for which a unit cannot be where it is wanted: `current` of the refusal. A unit is named if the user may see it. */
export const MoveRefusal = z.discriminatedUnion('cause', [
  z.object({ cause: z.literal('bus_taken'), device_id: z.string() }),
  /** The unit that moves is in test mode. */
  z.object({ cause: z.literal('in_test') }),
  /** Its last test is still being counted. */
  z.object({ cause: z.literal('test_counted') }),
  z.object({ cause: z.literal('future') }),
  z.object({ cause: z.literal('too_old') }),
  /** On one of the days since then, one of the buses belonged to customers whom the user does not see. */
  z.object({ cause: z.literal('foreign_day') }),
  z.object({ cause: z.literal('came_later'), since: Moment }),
  /** Another unit sat in the bus until that moment. */
  z.object({ cause: z.literal('other_unit'), until: Moment, device_id: z.nullable(z.string()) }),
  /** The bus lacks cameras with whose streams the unit has recorded video since then: the first ones by stream, of `total`. */
  z.object({
    cause: z.literal('no_camera'),
    cameras: z.array(z.object({ name: z.string(), stream_id: z.string() })),
    total: z.int(),
  }),
  z.object({ cause: z.literal('too_much') }),
]);
export type MoveRefusal = z.infer<typeof MoveRefusal>;
