// Changes of one row by a form. Two people may have it open at once.
import * as z from 'zod/mini';

/**
 * The body of a change: new values of some fields, and the values of the same fields that the user saw. A field that
 * somebody else has changed meanwhile is refused as `conflict` with `seen.<field>`, and nothing is changed; other fields
 * are merged. Without `seen` a value is set whatever is stored. Seen values are compared and nothing else, so that a
 * value that the present rules refuse can be mended.
 * @param fields the schemas of the fields
 */
// @__NO_SIDE_EFFECTS__
export function changeOf<Fields extends Record<string, z.ZodMiniType>>(fields: Fields) {
  const seen = Object.fromEntries(Object.keys(fields).map((name) => [name, Seen])) as {
    [Name in keyof Fields]: typeof Seen;
  };
  return z.extend(z.partial(z.object(fields)), { seen: z.optional(z.strictObject(seen)) });
}

const Plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** A stored value of any kind that a form has. */
const Seen = z.optional(z.union([Plain, z.array(Plain), z.record(z.string(), Plain)]));
