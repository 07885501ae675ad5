import * as contract from '@ridewatch/contract/news';
import { notFound } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { closeMessage, listMessages } from './messages.ts';
import { findMediaFile, listNews, markNewsRead, PAGE } from './news-rows.ts';

/** News, questions and their files; the info banners. */
export const addNews: Feature = (app, { database: { db }, clock }, auth) => {
  serve(app, auth, contract.listActiveMessages, 'user', async ({ viewer }) => {
    const { items, total } = await listMessages(db, viewer, {
      ...{ nowMs: clock.nowMs(), isAll: false, isOpen: true },
    });
    const shown = items.map(({ active: _, createdAt: __, ...message }) => message);
    return { items: shown, number: 0, total };
  });

  serve(app, auth, contract.closeMessage, 'user', async ({ viewer, params }) => {
    await closeMessage(db, viewer, params.messageId, clock.nowMs());
    return undefined;
  });

  serve(app, auth, contract.listMessages, 'user', ({ viewer, query }) =>
    listMessages(db, viewer, {
      nowMs: clock.nowMs(),
      isAll: query.active === 'false' && viewer.role === 'ADMIN',
      page: Number(query.page ?? 0),
      size: Number(query.perPage ?? query.pageSize ?? PAGE),
    }),
  );

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
