import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addNews } from './api.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer([addAuth, addNews]);
  await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

describe('info banners', () => {
  it('are the active ones, the newest first', async () => {
    await server.deps.database.db
      .insertInto('messages')
      .values([
        { title: 'Старое', text: 'Раз', created_at: new Date('2026-01-01T00:00:00Z') },
        { title: 'Новое', text: 'Два', created_at: new Date('2026-02-01T00:00:00Z') },
        { title: 'Снятое', text: 'Три', active: false, created_at: new Date() },
      ])
      .execute();
    const answer = await server.app.inject({
      url: '/api/news/active-messages',
      headers: { authorization: `Bearer ${await server.signIn('first')}` },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      items: [
        { title: 'Новое', text: 'Два' },
        { title: 'Старое', text: 'Раз' },
      ],
      number: 0,
      total: 2,
    });
  });

  it('need a sign-in', async () => {
    expect((await server.app.inject('/api/news/active-messages')).statusCode).toBe(401);
  });
});
