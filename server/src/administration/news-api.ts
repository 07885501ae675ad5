import * as contract from '@ridewatch/contract/admin-news';
import { writeAsAdministrator } from '../auth/lock-administrator.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import {
  changeMessage,
  createMessage,
  deleteMessage,
  listMessages,
  readMessage,
  setMessageMedia,
} from './messages.ts';
import {
  changeNews,
  createNews,
  deleteNews,
  listNews,
  listNewsReaders,
  readNews,
  setNewsMedia,
} from './news.ts';

/** News, questions and banners; only administrators write them. */
export const addAdminNews: Feature = (app, { database: { db } }, auth) => {
  serve(app, auth, contract.listAdminNews, 'admin', ({ query }) => listNews(db, query), 'nothing');
  serve(
    app,
    auth,
    contract.findAdminNews,
    'admin',
    ({ params }) => readNews(db, params.newsId),
    'nothing',
  );
  serve(
    app,
    auth,
    contract.listNewsReaders,
    'admin',
    ({ params, query }) => listNewsReaders(db, params.newsId, query),
    'nothing',
  );
  serve(
    app,
    auth,
    contract.createNews,
    'admin',
    ({ viewer, actor, body }) =>
      writeAsAdministrator(db, viewer, (tx) => createNews(tx, actor, body)),
    'nothing',
  );
  serve(
    app,
    auth,
    contract.updateNews,
    'admin',
    ({ viewer, actor, params, body }) =>
      writeAsAdministrator(db, viewer, (tx) => changeNews(tx, actor, params.newsId, body)),
    'nothing',
  );
  serve(
    app,
    auth,
    contract.deleteNews,
    'admin',
    async ({ viewer, actor, params }) => {
      await writeAsAdministrator(db, viewer, (tx) => deleteNews(tx, actor, params.newsId));
      return undefined;
    },
    'nothing',
  );
  serve(
    app,
    auth,
    contract.setNewsMedia,
    'admin',
    ({ viewer, actor, params, body }) =>
      writeAsAdministrator(db, viewer, (tx) => setNewsMedia(tx, actor, params.newsId, body.file)),
    'nothing',
  );
  serve(
    app,
    auth,
    contract.deleteNewsMedia,
    'admin',
    ({ viewer, actor, params }) =>
      writeAsAdministrator(db, viewer, (tx) => setNewsMedia(tx, actor, params.newsId, undefined)),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.listAdminMessages,
    'admin',
    ({ query }) => listMessages(db, query),
    'nothing',
  );
  serve(
    app,
    auth,
    contract.findAdminMessage,
    'admin',
    ({ params }) => readMessage(db, params.messageId),
    'nothing',
  );
  serve(
    app,
    auth,
    contract.createMessage,
    'admin',
    ({ viewer, actor, body }) =>
      writeAsAdministrator(db, viewer, (tx) => createMessage(tx, actor, body)),
    'nothing',
  );
  serve(
    app,
    auth,
    contract.updateMessage,
    'admin',
    ({ viewer, actor, params, body }) =>
      writeAsAdministrator(db, viewer, (tx) => changeMessage(tx, actor, params.messageId, body)),
    'nothing',
  );
  serve(
    app,
    auth,
    contract.deleteMessage,
    'admin',
    async ({ viewer, actor, params }) => {
      await writeAsAdministrator(db, viewer, (tx) => deleteMessage(tx, actor, params.messageId));
      return undefined;
    },
    'nothing',
  );
  serve(
    app,
    auth,
    contract.setMessageMedia,
    'admin',
    ({ viewer, actor, params, body }) =>
      writeAsAdministrator(db, viewer, (tx) =>
        setMessageMedia(tx, actor, params.messageId, body.file),
      ),
    'nothing',
  );
  serve(
    app,
    auth,
    contract.deleteMessageMedia,
    'admin',
    ({ viewer, actor, params }) =>
      writeAsAdministrator(db, viewer, (tx) =>
        setMessageMedia(tx, actor, params.messageId, undefined),
      ),
    'nothing',
  );
};
