// Lists that are read a page at a time.
import * as z from 'zod/mini';
import { Id, MAX_TEXT_LENGTH } from './primitives.ts';

/** Rows of a page unless asked otherwise (spec section 9). */
export const PAGE_SIZE = 10;
/** Most rows of a page. */
export const MAX_PAGE_SIZE = 5000;
/** The last page that can be asked for, from 0. */
const MAX_PAGE = 1_000_000;

const whole = (least: number, most: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,7}$/, 'must be a whole number')),
    z.pipe(z.transform(Number), z.int().check(z.minimum(least), z.maximum(most))),
  );

/** The query of a page. Rows are found by a part of their texts, in any case. */
export const pageFields = {
  page: z._default(whole(0, MAX_PAGE), 0),
  perPage: z.optional(whole(1, MAX_PAGE_SIZE)),
  /** The same as `perPage`. */
  pageSize: z.optional(whole(1, MAX_PAGE_SIZE)),
  search: z.optional(z.string().check(z.maxLength(MAX_TEXT_LENGTH))),
  sortType: z.optional(z.enum(['ASC', 'DESC'])),
};

/** A yes or no in a query. */
export const YesNo = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
);

/**
 * The answer with one page of a list.
 * @param item the schema of a row
 */
// @__NO_SIDE_EFFECTS__
export function pageOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    items: z.array(item),
    /** The page, from 0. */
    number: z.int(),
    /** Rows of all pages. */
    total: z.int(),
  });
}

/** An object by id and name. */
export const Named = z.object({ id: Id, name: z.string() });
export type Named = z.infer<typeof Named>;
