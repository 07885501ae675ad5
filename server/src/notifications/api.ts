import type { NewsItem } from '@ridewatch/contract/news';
import * as contract from '@ridewatch/contract/notifications';
import { listOpenCauses, markCausesSeen } from '../attention/causes.ts';
import { serve } from '../core/http/http.ts';
import { loadKeys } from '../core/signing-keys.ts';
import { storableOf } from '../core/storable.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Feature } from '../deps.ts';
import { listMerges } from '../merges/merge-list.ts';
import { hasNews, listNews, markNewsRead } from '../news/news-rows.ts';
import { listReports } from '../reports/report-list.ts';

/** News in the panel; the page of news has all. */
const SHOWN_NEWS = 5;
/** Characters of a news text in the panel, which shows its first lines: each poll carries them. */
const SHOWN_TEXT = 500;
const shortened = (item: NewsItem): NewsItem => ({
  ...item,
  text: storableOf(item.text, SHOWN_TEXT),
});

/** Finished reports in the panel; their page has all. */
const SHOWN_REPORTS = 3;

/** The notification panel. */
export const addNotifications: Feature = async (app, { config, clock, database }, auth) => {
  const { db } = database;
  const keys = await loadKeys(db, 'video', clock.nowMs());

  const read = async (viewer: Viewer): Promise<contract.Notifications> => {
    const nowMs = clock.nowMs();
    const question = { keys, nowMs, filesDays: config.keepDays.files };
    const most = contract.MAX_PANEL_ITEMS;
    const newest = { sortBy: 'createdAt', sortType: 'DESC', active: 'true' } as const;
    const [attention, merges, reports, news, hasFaq] = await Promise.all([
      listOpenCauses(db, viewer, nowMs, most),
      listMerges(db, viewer, question),
      listReports(
        db,
        viewer,
        { kind: undefined, status: undefined, page: 0, perPage: most },
        question,
      ),
      listNews(db, viewer, { ...newest, type: 'NEWS', perPage: String(SHOWN_NEWS) }, nowMs),
      hasNews(db, 'FAQ', nowMs),
    ]);
    const ready = merges.filter(({ status }) => status === 'COMPLETE').length;
    const finished = reports.items.filter(({ status }) => status !== 'PROCESS');
    const shownReports = new Set(finished.slice(0, SHOWN_REPORTS));
    return {
      made_at: new Date(nowMs).toISOString(),
      unread: attention.unseen + ready + news.unread,
      pending: reports.in_progress > 0 || merges.some(({ status }) => status === 'PROCESS'),
      attention,
      merges: {
        items: merges.slice(0, most),
        total: merges.length,
        keep_days: config.keepDays.files,
      },
      reports: {
        items: reports.items.filter((one) => one.status === 'PROCESS' || shownReports.has(one)),
        in_progress: reports.in_progress,
        total: reports.total,
      },
      news: { items: news.items.map(shortened), unread: news.unread, total: news.total },
      has_faq: hasFaq,
    };
  };

  serve(app, auth, contract.findNotifications, 'user', ({ viewer }) => read(viewer));

  serve(app, auth, contract.readNotifications, 'user', async ({ viewer, body }) => {
    const nowMs = clock.nowMs();
    await markCausesSeen(db, viewer.userId, Math.min(nowMs, Date.parse(body.made_at)));
    await markNewsRead(db, viewer.userId, body.news, nowMs);
    return undefined;
  });
};
