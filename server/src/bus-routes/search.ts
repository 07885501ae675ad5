import type { BusRoute } from '@ridewatch/contract/bus-routes';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

interface Search {
  readonly clientIds: 'all' | readonly number[];
  /** Part of the name, in any case; empty: all. */
  readonly name: string;
  readonly size: number;
  /** From 0. */
  readonly page: number;
}

/** One page of the routes of customers, by name. */
export async function searchRoutes(
  db: Db,
  { clientIds, name, size, page }: Search,
): Promise<{ items: BusRoute[]; number: number; total: number }> {
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
    .offset(page * size)
    .execute();
  const { total } = await chosen
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { items, number: page, total };
}
