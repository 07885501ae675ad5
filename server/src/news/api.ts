import * as contract from '@ridewatch/contract/news';
import type { Feature } from '../app.ts';
import { serve } from '../http.ts';

/** Info banners; news and questions come with their own screens. */
export const addNews: Feature = (app, deps, auth) => {
  serve(app, auth, contract.listActiveMessages, 'user', async () => {
    const items = await deps.database.db
      .selectFrom('messages')
      .select(['id', 'title', 'text'])
      .where('active', '=', true)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return { items, number: 0, total: items.length };
  });
};
