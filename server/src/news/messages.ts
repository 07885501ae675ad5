import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { type listMessages as endpoint, Notice } from '@ridewatch/contract/news';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';

/** The wanted info banners: also those that are not shown, and a page of them. */
interface MessagesQuestion {
  readonly nowMs: number;
  readonly isAll: boolean;
  /** Whether those that the user has closed are left out. */
  readonly isOpen?: boolean;
  /** From 0. */
  readonly page?: number;
  /** Banners of a page; without it as many as there can be. */
  readonly size?: number;
}

/** Most banners that are shown at once. */
const MOST_SHOWN = 100;

/** Whether a row of `messages` is shown at a moment. @param nowMs ms since 1970 UTC */
export function isMessageShown(nowMs: number): RawBuilder<boolean> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  return sql<boolean>`(messages.active and (messages.date_from is null or messages.date_from <= ${now})
    and (messages.date_to is null or messages.date_to > ${now}))`;
}

/** The info banners of a user, the newest first; those of administrators for them alone. */
export async function listMessages(
  db: Db,
  viewer: Viewer,
  { nowMs, isAll, isOpen = false, page = 0, size = MOST_SHOWN }: MessagesQuestion,
): Promise<ResponseOf<typeof endpoint>> {
  const messages = db
    .selectFrom('messages')
    .$if(!isAll, (query) => query.where(isMessageShown(nowMs)))
    .$if(viewer.role !== 'ADMIN', (query) => query.where('for_admins', '=', false))
    .$if(isOpen, (query) =>
      query.where('id', 'not in', (eb) =>
        eb.selectFrom('message_closings').select('message_id').where('user_id', '=', viewer.userId),
      ),
    );
  const { total } = await messages
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('total'))
    .executeTakeFirstOrThrow();
  const rows = await messages
    .select(['id', 'title', 'text', 'media_id', 'details', 'active', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
    .offset(page * size)
    .execute();
  const items = rows.map(({ details, media_id, created_at, ...message }) => ({
    ...message,
    mediaId: media_id,
    createdAt: created_at.toISOString(),
    // Another version may have stored its own text or form. The job of the next minute replaces it.
    notice: Notice.safeParse(details).data ?? null,
  }));
  return { items, number: page, total };
}

/** Closes a banner that a user sees, for this user alone; once is enough. @throws AppError not_found */
export async function closeMessage(
  db: Db,
  viewer: Viewer,
  id: number,
  nowMs: number,
): Promise<void> {
  const { rows } = await sql`
    with shown as (
      select id from messages where id = ${id} and ${isMessageShown(nowMs)}
        and (${viewer.role === 'ADMIN'}::boolean or not for_admins)
      for key share
    ), closed as (
      insert into message_closings (message_id, user_id, closed_at)
      select id, ${viewer.userId}::bigint, ${new Date(nowMs)} from shown on conflict do nothing
    )
    select from shown`.execute(db);
  if (rows.length === 0) throw notFound();
}
