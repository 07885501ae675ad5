import * as contract from '@ridewatch/contract/news';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';

/** Serves the active info banners. News and questions have no calls yet. */
export const addNews: Feature = (app, deps, auth) => {
  serve(app, auth, contract.listActiveMessages, 'user', async ({ viewer }) => {
    const rows = await deps.database.db
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
};
