import * as contract from '@ridewatch/contract/admin-news';
import { FALLBACK_ZONE } from '@ridewatch/contract/day';
import type { BodyOf, QueryOf } from '@ridewatch/contract/endpoint';
import { type RawBuilder, sql } from 'kysely';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { changeObject } from './change.ts';
import { deleteMedia, mediaColumn, replaceMedia } from './media.ts';
import { startOf } from './news.ts';
import { contains, equals, type Page, readPage, wireOf } from './page.ts';

type Message = contract.AdminMessage;
type Row = Omit<Message, 'created_at'> & { readonly created_at: Date };

const columns = {
  title: sql`title collate natural_ru`,
  date_from: sql`date_from`,
  date_to: sql`date_to`,
  created_at: sql`created_at`,
} as const;

const dayIn = (moment: RawBuilder<unknown>) =>
  sql`to_char((${moment}) at time zone ${sql.lit(FALLBACK_ZONE)}, 'YYYY-MM-DD')`;

// Notices that the server writes have details.
const messageRows = (where: RawBuilder<boolean>) => sql`
  select messages.id, title, text, active, ${dayIn(sql`date_from`)} as date_from,
    ${dayIn(sql`date_to - interval '1 second'`)} as date_to, ${mediaColumn} as media,
    messages.created_at
  from messages left join media on media.id = media_id where details is null and ${where}`;

/** One page of the banners that administrators wrote, the latest first unless asked otherwise. */
export async function listMessages(
  db: Db,
  query: QueryOf<typeof contract.listAdminMessages>,
): Promise<Page<Message>> {
  const where = sql<boolean>`${contains(query.search, sql`title`, sql`text`)}
    and ${equals(sql`active`, query.active)}`;
  return readPage<Row>(db, messageRows(where), query, {
    by: columns[query.sortBy ?? 'created_at'],
    isDescending: query.sortBy === undefined,
  });
}

/** @throws AppError not_found, also for notices of the server */
export async function readMessage(db: Db, id: number): Promise<Message> {
  const { rows } = await messageRows(sql`messages.id = ${id}`).execute(db);
  const [row] = rows as Row[];
  if (row === undefined) throw notFound();
  return wireOf(row);
}

interface Dates {
  readonly date_from: string | null;
  readonly date_to: string | null;
}

function checkDates({ date_from, date_to }: Dates): void {
  if (date_from === null || date_to === null || date_from <= date_to) return;
  throw new AppError('invalid_request', 'must not be before its first day', { field: 'date_to' });
}

/** Both days are included. */
const momentsOf = ({ date_from, date_to }: Partial<Dates>) => ({
  ...(date_from !== undefined && { date_from: date_from && startOf(date_from) }),
  ...(date_to !== undefined && {
    date_to: date_to && sql<Date>`${startOf(date_to)} + interval '1 day'`,
  }),
});

/** Key of the lock under which banners begin to be shown, one at a time. */
const SHOW_LOCK = 1_900_063_001;

/** @throws AppError conflict when there are too many banners that are not over, this one among them */
async function checkRoom(tx: Tx, id: number, nowMs: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SHOW_LOCK})`.execute(tx);
  const { rows } = await sql<{ others: number; is_shown: boolean }>`
    select count(*) filter (where id <> ${id})::int as others, coalesce(bool_or(id = ${id}), false) as is_shown
    from messages where details is null and active
      and (date_to is null or date_to > ${new Date(nowMs)})`.execute(tx);
  const [found] = rows;
  if (!found?.is_shown || found.others < contract.MOST_BANNERS) return;
  const message = `At most ${contract.MOST_BANNERS} banners are shown. Hide one first.`;
  throw new AppError('conflict', message, { field: 'active' });
}

/** Creates a banner. @throws AppError conflict for one too many, invalid_request for days in the wrong order */
export async function createMessage(
  tx: Tx,
  actor: Actor,
  body: BodyOf<typeof contract.createMessage>,
): Promise<Message> {
  const { date_from = null, date_to = null, active = false, title, text } = body;
  const dates = { date_from, date_to };
  checkDates(dates);
  const { id } = await tx
    .insertInto('messages')
    .values({ title, text, active, ...momentsOf(dates), created_at: new Date(actor.atMs) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await checkRoom(tx, id, actor.atMs);
  await insertAudit(tx, actor, {
    ...{ action: 'create_message', objectType: 'message', objectId: id },
    after: { title, text, active, ...dates },
  });
  return readMessage(tx, id);
}

/** Changes a banner. @throws AppError conflict, invalid_request, not_found */
export async function changeMessage(
  tx: Tx,
  actor: Actor,
  id: number,
  body: BodyOf<typeof contract.updateMessage>,
): Promise<Message> {
  const { seen: _, ...wanted } = body;
  await readMessage(tx, id);
  const { row } = await changeObject<Message>(tx, actor, {
    ...{ table: 'messages', id, body, action: 'set_message', wanted },
    read: (db) => readMessage(db, id),
    write: async (__, { date_from, date_to, media: ___, created_at: ____, ...own }, before) => {
      const dates = {
        ...(date_from !== undefined && { date_from }),
        ...(date_to !== undefined && { date_to }),
      };
      checkDates({ ...before, ...dates });
      const set = { ...own, ...momentsOf(dates) };
      await tx.updateTable('messages').set(set).where('id', '=', id).execute();
      if (own.active || 'date_to' in dates) await checkRoom(tx, id, actor.atMs);
    },
  });
  return row;
}

/**
 * Gives a banner a file instead of its former one.
 * @param file undefined: none
 * @throws AppError not_found, too_large, invalid_request for an empty file
 */
export function setMessageMedia(
  tx: Tx,
  actor: Actor,
  id: number,
  file: File | undefined,
): Promise<Message> {
  return replaceMedia(tx, actor, {
    ...{ table: 'messages', id, action: 'set_message_media', file },
    read: (db) => readMessage(db, id),
  });
}

/** Deletes a banner with its file. @throws AppError not_found */
export async function deleteMessage(tx: Tx, actor: Actor, id: number): Promise<void> {
  await sql`select from messages where id = ${id} for update`.execute(tx);
  const { created_at: _, id: __, ...before } = await readMessage(tx, id);
  await tx.deleteFrom('messages').where('id', '=', id).execute();
  await deleteMedia(tx, before.media);
  await insertAudit(tx, actor, {
    ...{ action: 'delete_message', objectType: 'message', objectId: id, before },
  });
}
