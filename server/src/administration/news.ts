import type { AuditAction } from '@ridewatch/contract/action-words';
import type * as contract from '@ridewatch/contract/admin-news';
import { dayOf, FALLBACK_ZONE } from '@ridewatch/contract/day';
import type { BodyOf, QueryOf } from '@ridewatch/contract/endpoint';
import { type RawBuilder, sql } from 'kysely';
import { clientName } from '../access/client.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import { changeObject } from './change.ts';
import { deleteMedia, mediaColumn, replaceMedia } from './media.ts';
import { contains, equals, type Page, readPage, wireOf } from './page.ts';

type News = contract.AdminNews;
type Row = Omit<News, 'created_at'> & { readonly created_at: Date };
type Reader = Omit<contract.NewsReader, 'read_at'> & { readonly read_at: Date };

const columns = {
  title: sql`title collate natural_ru`,
  type: sql`type`,
  date_from: sql`date_from`,
  readers: sql`readers`,
} as const;

/** The beginning of a local day in Moscow. */
export const startOf = (day: string) =>
  sql<Date>`(${day}::date::timestamp at time zone ${sql.lit(FALLBACK_ZONE)})`;

const newsRows = (where: RawBuilder<boolean>) => sql`
  select news.id, type, title, text, active, news.created_at,
    to_char(date_from at time zone ${sql.lit(FALLBACK_ZONE)}, 'YYYY-MM-DD') as date_from,
    ${mediaColumn} as media,
    (select count(*)::int from news_reads where news_id = news.id) as readers
  from news left join media on media.id = media_id
  where ${where}`;

/** One page of news and questions, the latest first unless asked otherwise. */
export async function listNews(
  db: Db,
  query: QueryOf<typeof contract.listAdminNews>,
): Promise<Page<News>> {
  const where = sql<boolean>`${contains(query.search, sql`title`, sql`text`)}
    and ${equals(sql`type`, query.type)} and ${equals(sql`active`, query.active)}`;
  return readPage<Row>(db, newsRows(where), query, {
    by: columns[query.sortBy ?? 'date_from'],
    isDescending: query.sortBy === undefined,
  });
}

/** @throws AppError not_found */
export async function readNews(db: Db, id: number): Promise<News> {
  const { rows } = await newsRows(sql`news.id = ${id}`).execute(db);
  const [row] = rows as Row[];
  if (row === undefined) throw notFound();
  return wireOf(row);
}

/** One page of the users who have read a news item, the last one first. @throws AppError not_found */
export async function listNewsReaders(
  db: Db,
  id: number,
  query: QueryOf<typeof contract.listNewsReaders>,
): Promise<Page<contract.NewsReader>> {
  await readNews(db, id);
  const readers = sql`
    select users.id, login, read_at,
      case when clients.id is not null
        then jsonb_build_object('id', clients.id, 'name', ${clientName}) end as client
    from news_reads join users on users.id = user_id left join clients on clients.id = users.client_id
    where news_id = ${id} and ${contains(query.search, sql`login`, clientName)}`;
  const sort = { by: sql`read_at`, isDescending: true };
  return readPage<Reader>(db, readers, query, sort);
}

/** Creates a news item; it is shown from today on unless the fields say otherwise, and only when it is active. */
export async function createNews(
  tx: Tx,
  actor: Actor,
  { date_from, active = false, ...fields }: BodyOf<typeof contract.createNews>,
): Promise<News> {
  const day = date_from ?? dayOf(actor.atMs, FALLBACK_ZONE);
  const { id } = await tx
    .insertInto('news')
    .values({
      ...{ ...fields, active, date_from: startOf(day), created_at: new Date(actor.atMs) },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(tx, actor, 'create_news', id, { after: { ...fields, active, date_from: day } });
  return readNews(tx, id);
}

/** Changes a news item. @throws AppError conflict, not_found */
export async function changeNews(
  tx: Tx,
  actor: Actor,
  id: number,
  body: BodyOf<typeof contract.updateNews>,
): Promise<News> {
  const { seen: _, ...wanted } = body;
  await readNews(tx, id);
  const { row } = await changeObject<News>(tx, actor, {
    ...{ table: 'news', id, body, action: 'set_news', wanted },
    read: (db) => readNews(db, id),
    write: async (__, { date_from, media: ___, readers: ____, created_at: _____, ...own }) => {
      const set = { ...own, ...(date_from !== undefined && { date_from: startOf(date_from) }) };
      await tx.updateTable('news').set(set).where('id', '=', id).execute();
    },
  });
  return row;
}

/** Deletes a news item with its file. @throws AppError not_found */
export async function deleteNews(tx: Tx, actor: Actor, id: number): Promise<void> {
  await sql`select from news where id = ${id} for update`.execute(tx);
  const { title, text, type, media } = await readNews(tx, id);
  await tx.deleteFrom('news').where('id', '=', id).execute();
  await deleteMedia(tx, media);
  await audit(tx, actor, 'delete_news', id, { before: { title, text, type, media } });
}

/**
 * Gives a news item a file instead of its former one.
 * @param file undefined: none
 * @throws AppError not_found, too_large, invalid_request for an empty file
 */
export function setNewsMedia(
  tx: Tx,
  actor: Actor,
  id: number,
  file: File | undefined,
): Promise<News> {
  return replaceMedia(tx, actor, {
    ...{ table: 'news', id, action: 'set_news_media', file },
    read: (db) => readNews(db, id),
  });
}

function audit(
  tx: Tx,
  actor: Actor,
  action: AuditAction,
  objectId: number,
  change: { before?: unknown; after?: unknown },
): Promise<void> {
  return insertAudit(tx, actor, { action, objectType: 'news', objectId, ...change });
}
