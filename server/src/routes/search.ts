import type { RouteGroup } from '@ridewatch/contract/groups';
import { sql } from 'kysely';
import type { Db } from '../db.ts';

interface Search {
  readonly clientIds: 'all' | readonly number[];
  /** Part of the name, in any case; empty: all. */
  readonly name: string;
  readonly size: number;
  /** Page, from 0. */
  readonly number: number;
}

/** One page of the routes of customers, by name. */
export async function searchGroups(
  db: Db,
  { clientIds, name, size, number }: Search,
): Promise<{ items: RouteGroup[]; number: number; total: number }> {
  const chosen = db
    .selectFrom('route_groups')
    .where('deleted', '=', false)
    .where(sql<boolean>`strpos(lower(name), lower(${name})) > 0`)
    .where(
      clientIds === 'all'
        ? sql<boolean>`true`
        : sql<boolean>`client_id = any(${[...clientIds]}::bigint[])`,
    );
  const items = await chosen
    .select(['id', 'name', 'client_id', 'deleted', 'type_calculation'])
    .orderBy(sql`name collate natural_ru`)
    .orderBy('id')
    .limit(size)
    .offset(number * size)
    .execute();
  const { total } = await chosen
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { items, number, total };
}
