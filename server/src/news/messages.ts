import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { type listMessages as endpoint, Notice } from '@ridewatch/contract/news';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';

/** Which info banners: also those that are not shown, and a page of them. */
interface MessagesQuestion {
  readonly nowMs: number;
  readonly isAll: boolean;
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
  { nowMs, isAll, page = 0, size = MOST_SHOWN }: MessagesQuestion,
): Promise<ResponseOf<typeof endpoint>> {
  const messages = db
    .selectFrom('messages')
    .$if(!isAll, (query) => query.where(isMessageShown(nowMs)))
    .$if(viewer.role !== 'ADMIN', (query) => query.where('for_admins', '=', false));
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
