import * as contract from '@ridewatch/contract/news';
import { notFound } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { findMediaFile, listNews, markNewsRead } from './queries.ts';

/** News, questions and their files; the info banners. */
export const addNews: Feature = (app, { database: { db }, clock }, auth) => {
  serve(app, auth, contract.listActiveMessages, 'user', async ({ viewer }) => {
    const rows = await db
      .selectFrom('messages')
      .select(['id', 'title', 'text', 'details'])
      .where('active', '=', true)
      .where((eb) => (viewer.role === 'ADMIN' ? eb.lit(true) : eb('for_admins', '=', false)))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    const items = rows.map(({ details, ...message }) => ({
      ...message,
      // Another version may have stored its own text or form. The job of the next minute replaces it.
      notice: contract.Notice.safeParse(details).data ?? null,
    }));
    return { items, number: 0, total: items.length };
  });

  serve(app, auth, contract.searchNews, 'user', async ({ viewer, query }) => {
    const { items, number, total } = await listNews(db, viewer, query, clock.nowMs());
    return { items, number, total };
  });

  serve(app, auth, contract.readNews, 'user', async ({ viewer, params }) => {
    const found = await markNewsRead(db, viewer.userId, [params.newsId], clock.nowMs());
    if (found === 0) throw notFound();
    return undefined;
  });

  serve(app, auth, contract.findMedia, 'user', async ({ viewer, params }) => {
    const { data, format, name } = await findMediaFile(db, viewer, params.mediaId, clock.nowMs());
    return { data: data.toString('base64'), format, name };
  });
};
