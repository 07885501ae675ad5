import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { isListedBus, isVisibleBus, type Visible } from './visible.ts';

export interface BusRow {
  readonly id: number;
  readonly name: string;
  readonly type: 'VMS' | 'COUNTER';
}

/** The ids of all buses in the fleet that the user may see, ascending. */
export async function listVisibleBusIds(db: Db, viewer: Viewer): Promise<Visible<number[]>> {
  const buses = await db
    .selectFrom('workplaces')
    .select('id')
    .where(isVisibleBus(viewer, sql.ref('workplaces.id')))
    .where('retired_at', 'is', null)
    .orderBy('id')
    .execute();
  return buses.map(({ id }) => id) as Visible<number[]>;
}

/** The buses that the user sees in the bus list, those that have left the fleet too. */
export async function listListedBusIds(db: Db, viewer: Viewer): Promise<Visible<number[]>> {
  const buses = await db
    .selectFrom('workplaces')
    .select('id')
    .where(isVisibleBus(viewer, sql.ref('workplaces.id')))
    .where(isListedBus(sql.ref('workplaces.id')))
    .orderBy('id')
    .execute();
  return buses.map(({ id }) => id) as Visible<number[]>;
}

/**
 * Buses by id, each once.
 * @throws AppError not_found when one of them is missing or foreign: a list is refused as a whole
 */
export async function findBusIds(
  db: Db,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Visible<number[]>> {
  const asked = [...new Set(ids)];
  const buses = await db
    .selectFrom('workplaces')
    .select('id')
    .where(sql<boolean>`id = any(${asked}::bigint[])`)
    .where(isVisibleBus(viewer, sql.ref('workplaces.id')))
    .orderBy('id')
    .execute();
  if (buses.length < asked.length) throw notFound();
  return buses.map(({ id }) => id) as Visible<number[]>;
}

/** @throws AppError not_found, also for foreign buses */
export async function findBus(db: Db, viewer: Viewer, id: number): Promise<Visible<BusRow>> {
  const bus = await db
    .selectFrom('workplaces')
    .select(['id', 'name', 'type'])
    .where('id', '=', id)
    .where(isVisibleBus(viewer, sql.ref('workplaces.id')))
    .executeTakeFirst();
  if (bus === undefined) throw notFound();
  return bus as Visible<BusRow>;
}
