import { folded } from '@ridewatch/contract/folded';
import { MAX_PAGE_SIZE, PAGE_SIZE } from '@ridewatch/contract/paging';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { foldedText } from '../core/db/folded.ts';

/** The query of a page, as the contract reads it. */
interface PageQuestion {
  readonly page: number;
  readonly perPage?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly sortType?: 'ASC' | 'DESC' | undefined;
}

export interface Page<Row> {
  readonly items: Row[];
  /** From 0. */
  readonly number: number;
  readonly total: number;
}

/** A moment in an answer. */
type Wire<Row> = {
  [Key in keyof Row]: Row[Key] extends Date
    ? string
    : Row[Key] extends Date | null
      ? string | null
      : Row[Key];
};

/** A row as in answers: moments are ISO texts. */
export function wireOf<Row extends object>(row: Row): Wire<Row> {
  const pairs = Object.entries(row).map(([key, value]) => [
    key,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(pairs) as Wire<Row>;
}

/**
 * Reads one page of a list and the number of all rows in one statement.
 * @param rows a `select` of all rows of the list, with the column `id`
 * @param sort the column of `rows` to sort by, and whether descending unless asked otherwise. Equal rows keep one order
 * @param wide makes a `select` of the answer's rows from a subquery of the ids of a page, where building all rows of
 *   the list would take long; `rows` then only has what finds and sorts them
 */
export async function readPage<Row extends object>(
  db: Db,
  rows: RawBuilder<unknown>,
  question: PageQuestion,
  sort: { readonly by: RawBuilder<unknown>; readonly isDescending?: boolean },
  wide: (ids: RawBuilder<unknown>) => RawBuilder<unknown> = (ids) =>
    sql`select * from listed where id in ${ids}`,
): Promise<Page<Wire<Row>>> {
  const size = Math.min(question.perPage ?? question.pageSize ?? PAGE_SIZE, MAX_PAGE_SIZE);
  const isDescending = (question.sortType ?? (sort.isDescending ? 'DESC' : 'ASC')) === 'DESC';
  const direction = isDescending ? sql`desc nulls last` : sql`asc nulls last`;
  const found = await sql<Row & { total: number; place: number | null; id: number | null }>`
    with listed as materialized (${rows}),
    page as materialized (
      select id, row_number() over () as place from (
        select id from listed order by ${sort.by} ${direction}, id
        limit ${size} offset ${question.page * size}
      ) as ordered
    ), wide as (${wide(sql`(select id from page)`)})
    select counted.total, page.place, wide.*
    from (select count(*)::int as total from listed) as counted
    left join page on true left join wide on wide.id = page.id
    order by page.place`.execute(db);
  const items = found.rows.flatMap(({ total: _, place: __, ...row }) =>
    row.id === null ? [] : [wireOf(row as unknown as Row)],
  );
  return { items, number: question.page, total: found.rows[0]?.total ?? 0 };
}

/**
 * Whether one of the texts contains what was searched; plates and names as people type them (contract/src/folded.ts).
 * @param search undefined and blank: every row
 */
export function contains(
  search: string | undefined,
  ...texts: readonly RawBuilder<unknown>[]
): RawBuilder<boolean> {
  const part = folded(search ?? '');
  if (part === '') return sql<boolean>`true`;
  const found = texts.map((text) => sql`strpos(${foldedText(text)}, ${part}) > 0`);
  return sql<boolean>`(${sql.join(found, sql` or `)})`;
}

/**
 * Whether a text is what was searched, no more, as `contains` compares them.
 * @param search undefined and blank: no text is
 */
export function isWhole(
  search: string | undefined,
  text: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const whole = folded(search ?? '');
  return whole === '' ? sql<boolean>`false` : sql<boolean>`(${foldedText(text)} = ${whole})`;
}

/** A condition for rows with this value; none when the filter is not set. */
export function equals(column: RawBuilder<unknown>, value: unknown): RawBuilder<boolean> {
  return value === undefined ? sql<boolean>`true` : sql<boolean>`${column} = ${value}`;
}
