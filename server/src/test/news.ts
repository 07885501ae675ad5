import type { Db } from '../core/db/db.ts';

/** Inserts a news item. @returns its id */
export async function insertTestNews(
  db: Db,
  title: string,
  more: {
    type?: 'NEWS' | 'FAQ';
    text?: string;
    from?: Date;
    /** `from` by default. */
    createdAt?: Date;
    active?: boolean;
    media?: { name: string; format: string; data: Buffer };
  } = {},
): Promise<{ id: number; mediaId: number | null }> {
  const {
    type = 'NEWS',
    text = 'Текст',
    from = new Date('2026-01-01T00:00:00Z'),
    active = true,
  } = more;
  const media =
    more.media &&
    (await db
      .insertInto('media')
      .values({ ...more.media, created_at: from })
      .returning('id')
      .executeTakeFirstOrThrow());
  const mediaId = media?.id ?? null;
  const { id } = await db
    .insertInto('news')
    .values({
      type,
      title,
      text,
      date_from: from,
      active,
      created_at: more.createdAt ?? from,
      media_id: mediaId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, mediaId };
}
