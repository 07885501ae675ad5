import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { lookForCauses } from '../test/attention.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestMerge } from '../test/merge.ts';
import { insertTestNews } from '../test/news.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addNotifications } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addNotifications]);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const role of ['admin', 'first', 'second']) tokens[role] = await server.signIn(role);
});
afterAll(() => server.close());

const ofRole = (role: string) => ({ authorization: `Bearer ${tokens[role]}` });
async function panelOf(role: string) {
  const answer = await server.app.inject({ url: '/api/notifications', headers: ofRole(role) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
async function read(role: string, payload: object): Promise<number> {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/notifications/read',
    headers: ofRole(role),
    payload,
  });
  return answer.statusCode;
}

describe('the notification panel', () => {
  it('is empty where nothing happened', async () => {
    expect(await panelOf('first')).toMatchObject({
      ...{ unread: 0, pending: false, has_faq: false },
      attention: { items: [], total: 0, unseen: 0 },
      merges: { items: [], total: 0, keep_days: 7 },
      reports: { items: [], in_progress: 0, total: 0 },
      news: { items: [], unread: 0, total: 0 },
    });
  });

  it('counts causes, ready merges and news until each user has seen them', async () => {
    const { db } = server.deps.database;
    const silentSince = new Date(server.clock.nowMs() - 3_600_000);
    await db
      .updateTable('units')
      .set({ last_seen_at: silentSince, last_moved_at: silentSince })
      .where('id', '=', fleet.firstBus.unitId)
      .execute();
    await lookForCauses(server);
    await insertTestMerge(db, fleet.firstBus, fleet.first, { status: 'COMPLETE' });
    const { id } = await insertTestNews(db, 'Работы ночью');
    await insertTestNews(db, 'Как считают людей?', { type: 'FAQ' });

    const before = await panelOf('first');
    expect(before).toMatchObject({ unread: 3, pending: false, has_faq: true });
    expect(before.attention.items[0]).toMatchObject({ seen: false });
    expect(before.news).toMatchObject({
      unread: 1,
      items: [{ title: 'Работы ночью', read: false }],
    });
    expect(await panelOf('second')).toMatchObject({ unread: 1, attention: { total: 0 } });

    expect(await read('first', { made_at: before.made_at, news: [id] })).toBe(204);
    expect(await panelOf('first')).toMatchObject({
      // The merged video, until it is downloaded.
      unread: 1,
      attention: { unseen: 0, items: [{ seen: true }] },
      news: { unread: 0, items: [{ read: true }] },
    });
    expect(await panelOf('admin')).toMatchObject({ attention: { unseen: 1 }, news: { unread: 1 } });
  });

  it('has the beginning of a long text: each poll carries it', async () => {
    const { db } = server.deps.database;
    const text = 'Слово '.repeat(3000);
    await insertTestNews(db, 'Длинная', { text, from: new Date(server.clock.nowMs()) });
    const { news } = await panelOf('second');
    expect(news.items[0]).toMatchObject({ title: 'Длинная', text: text.slice(0, 500) });
    await db.deleteFrom('news').where('title', '=', 'Длинная').execute();
  });

  it('has the news by when they were written, the last first', async () => {
    const { db } = server.deps.database;
    const createdAt = (hour: number) => new Date(Date.UTC(2026, 0, 2, hour));
    await insertTestNews(db, 'Раньше', { from: createdAt(9), createdAt: createdAt(1) });
    await insertTestNews(db, 'Позже', { from: createdAt(3), createdAt: createdAt(2) });
    const { news } = await panelOf('second');
    expect(news.items.map(({ title }: { title: string }) => title).slice(0, 2)).toEqual([
      'Позже',
      'Раньше',
    ]);
    expect(await read('admin', { made_at: new Date(0).toISOString(), news: 'all' })).toBe(204);
    await db.deleteFrom('news').where('title', 'in', ['Раньше', 'Позже']).execute();
  });

  it('is pending while a merge is in progress', async () => {
    const { db } = server.deps.database;
    await insertTestMerge(db, fleet.secondBus, fleet.second, {
      at: new Date(server.clock.nowMs()),
    });
    expect(await panelOf('second')).toMatchObject({ pending: true, merges: { total: 1 } });
    expect(await panelOf('first')).toMatchObject({ pending: false });
  });

  it('takes back no seen mark, and marks nothing that is still to come', async () => {
    const { made_at } = await panelOf('admin');
    const later = new Date(server.clock.nowMs() + 86_400_000).toISOString();
    expect(await read('admin', { made_at: later, news: 'all' })).toBe(204);
    expect(await read('admin', { made_at: '2020-01-01T00:00:00Z', news: [] })).toBe(204);
    expect(await panelOf('admin')).toMatchObject({ attention: { unseen: 0 }, news: { unread: 0 } });
    const seen = await server.deps.database.db
      .selectFrom('attention_seen')
      .select('seen_at')
      .orderBy('seen_at', 'desc')
      .execute();
    expect(seen[0]?.seen_at.toISOString()).toBe(made_at);
  });
});
