import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { isVisibleClient, type Visible } from './visible.ts';

export interface ClientRow {
  readonly id: number;
  readonly name: string;
}

/** @throws AppError not_found, also for foreign customers */
export async function findClient(db: Db, viewer: Viewer, id: number): Promise<Visible<ClientRow>> {
  if (!isVisibleClient(viewer, id)) throw notFound();
  const client = await db
    .selectFrom('clients')
    .select(['id', 'name'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (client === undefined) throw notFound();
  return client as Visible<ClientRow>;
}

/**
 * Several customers, by name, as people sort.
 * @throws AppError not_found when one of them is foreign or does not exist
 */
export async function findClients(
  db: Db,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Visible<ClientRow>[]> {
  const wanted = [...new Set(ids)];
  const clients = await db
    .selectFrom('clients')
    .select(['id', 'name'])
    .where(sql<boolean>`id = any(${wanted}::bigint[])`)
    .orderBy(sql`name collate natural_ru`)
    .orderBy('id')
    .execute();
  const seen = clients.filter(({ id }) => isVisibleClient(viewer, id));
  if (seen.length < wanted.length) throw notFound();
  return seen as Visible<ClientRow>[];
}
