import type { QueryOf } from '@ridewatch/contract/endpoint';
import type { NewsItem, NewsType, searchNews } from '@ridewatch/contract/news';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { isMessageShown } from './messages.ts';

/** Items of a page unless the call says otherwise (spec section 9). */
export const PAGE = 10;
const columns = { dateFrom: 'date_from', createdAt: 'created_at', title: 'title' } as const;

interface NewsRow extends Omit<NewsItem, 'createdAt' | 'dateFrom'> {
  readonly createdAt: Date;
  readonly dateFrom: Date;
  readonly total: number;
  readonly unread: number;
}

/** A question for news: their type, order and page. */
export type NewsQuestion = QueryOf<typeof searchNews>;

/** A page of news; `unread` is of all. */
export interface NewsPage {
  readonly items: NewsItem[];
  readonly number: number;
  readonly total: number;
  readonly unread: number;
}

/**
 * News or questions that are shown at a moment; `active=false` of an administrator asks for all.
 * @param nowMs ms since 1970 UTC
 */
export async function listNews(
  db: Db,
  viewer: Viewer,
  { type, sortBy, sortType, active, page = '0', perPage, pageSize }: NewsQuestion,
  nowMs: number,
): Promise<NewsPage> {
  const size = Number(perPage ?? pageSize ?? PAGE);
  const isAll = active === 'false' && viewer.role === 'ADMIN';
  const which = sql`type = ${type} and ${isAll ? sql`true` : isShown(nowMs)}`;
  const column = sql.ref(`news.${columns[sortBy]}`);
  const order = sortBy === 'title' ? sql`${column} collate natural_ru` : column;
  const direction = sql.raw(sortType === 'ASC' ? 'asc' : 'desc');
  const { rows } = await sql<NewsRow>`
    select id, type, title, text, active, created_at as "createdAt", date_from as "dateFrom",
      media_id as "mediaId", read_at is not null as read
    from news
    left join news_reads on news_id = news.id and user_id = ${viewer.userId}
    where ${which}
    order by ${order} ${direction}, id desc limit ${size} offset ${Number(page) * size}`.execute(
    db,
  );
  const { rows: sums } = await sql<{ total: number; unread: number }>`
    select count(*)::int as total, count(*) filter (where read_at is null)::int as unread
    from news left join news_reads on news_id = news.id and user_id = ${viewer.userId}
    where ${which}`.execute(db);
  const items = rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    dateFrom: row.dateFrom.toISOString(),
  }));
  return { items, number: Number(page), ...(sums[0] ?? { total: 0, unread: 0 }) };
}

/** Whether there is something of a type. */
export async function hasNews(db: Db, type: NewsType, nowMs: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from news where type = ${type} and ${isShown(nowMs)}) as found`.execute(
    db,
  );
  return rows[0]?.found === true;
}

/**
 * Marks shown news as read by a user; others are left out.
 * @param ids those that were read, or all
 * @returns how many of them there are
 */
export async function markNewsRead(
  db: Db,
  userId: number,
  ids: readonly number[] | 'all',
  nowMs: number,
): Promise<number> {
  const which = ids === 'all' ? sql`type = 'NEWS'` : sql`id = any(${[...ids]}::bigint[])`;
  const { rows } = await sql<{ count: number }>`
    with shown as (select id from news where ${isShown(nowMs)} and ${which} for key share),
    marked as (insert into news_reads (news_id, user_id, read_at)
      select id, ${userId}::bigint, ${new Date(nowMs)} from shown on conflict do nothing)
    select count(*)::int as count from shown`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A file of news or of a banner. */
export interface MediaFile {
  readonly data: Buffer;
  readonly format: string;
  readonly name: string;
}

/** The file of shown news or a shown banner; an administrator gets every one. @throws AppError not_found */
export async function findMediaFile(
  db: Db,
  viewer: Viewer,
  id: number,
  nowMs: number,
): Promise<MediaFile> {
  const { rows } = await sql<MediaFile>`
    select data, format, name from media where id = ${id}
      and (${viewer.role === 'ADMIN'}::boolean
        or exists (select from news where media_id = media.id and ${isShown(nowMs)})
        or exists (select from messages where media_id = media.id and not for_admins
          and ${isMessageShown(nowMs)}))`.execute(db);
  const [file] = rows;
  if (file === undefined) throw notFound();
  return file;
}

function isShown(nowMs: number): RawBuilder<boolean> {
  return sql<boolean>`(news.active and news.date_from <= ${new Date(nowMs)})`;
}
