// Screens read it only once a camera or a unit is refused.
import * as z from 'zod/mini';

/**
 * Two cameras of a bus name the same channel of its terminal of JT/T 808: `current` of the refusal of a camera's key, or of
 * the unit's protocol or bus. The camera that was there before comes first.
 */
export const ChannelRefusal = z.object({
  cause: z.literal('same_channel'),
  cameras: z.array(z.object({ name: z.string(), stream_id: z.string() })),
});
export type ChannelRefusal = z.infer<typeof ChannelRefusal>;
