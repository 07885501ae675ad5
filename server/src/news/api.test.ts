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

  it('stay closed for the user who has closed them, and for nobody else', async () => {
    const { db } = server.deps.database;
    const [own, ofAdmins] = await db
      .insertInto('messages')
      .values([
        { title: 'Своё', text: 'Раз', created_at: new Date() },
        { title: 'Диск', text: 'Два', for_admins: true, created_at: new Date() },
      ])
      .returning('id')
      .execute();
    const ask = async (role: string, method: 'GET' | 'POST', url: string) =>
      server.app.inject({
        ...{ method, url },
        headers: { authorization: `Bearer ${await server.signIn(role)}` },
      });
    const titles = async (role: string) =>
      (await ask(role, 'GET', '/api/news/active-messages'))
        .json()
        .items.map(({ title }: { title: string }) => title);
    const close = async (role: string, id: number | undefined) =>
      (await ask(role, 'POST', `/api/news/messages/${id}/close`)).statusCode;
    for (let time = 0; time < 2; time += 1) expect(await close('first', own?.id)).toBe(204);
    expect(await titles('first')).not.toContain('Своё');
    expect(await titles('second')).toContain('Своё');
    expect(await close('first', ofAdmins?.id)).toBe(404);
    expect(await close('first', 999_999)).toBe(404);
    expect(await close('admin', ofAdmins?.id)).toBe(204);
    expect(await titles('admin')).toEqual(expect.not.arrayContaining(['Диск']));
    await db.deleteFrom('messages').where('title', 'in', ['Своё', 'Диск']).execute();
  });

  it('need a sign-in', async () => {
    expect((await server.app.inject('/api/news/active-messages')).statusCode).toBe(401);
  });
});

describe('the list of info banners', () => {
  const listOf = async (role: string, query = '') => {
    const answer = await server.app.inject({
      url: `/api/news/messages${query}`,
      headers: { authorization: `Bearer ${await server.signIn(role)}` },
    });
    expect(answer.statusCode, answer.body).toBe(200);
    const { items, number, total } = answer.json();
    return { titles: items.map(({ title }: { title: string }) => title), number, total };
  };

  it('has those that are shown, in pages, the newest first', async () => {
    expect(await listOf('first')).toEqual({ titles: ['Новое', 'Старое'], number: 0, total: 2 });
    expect(await listOf('first', '?page=1&perPage=1')).toEqual({
      titles: ['Старое'],
      number: 1,
      total: 2,
    });
  });

  it('has the others for administrators who ask for them, and for nobody else', async () => {
    expect((await listOf('first', '?active=false')).titles).toEqual(['Новое', 'Старое']);
    expect((await listOf('admin', '?active=false')).titles).toEqual(['Снятое', 'Новое', 'Старое']);
  });

  it('keeps those of administrators from everybody else', async () => {
    const { db } = server.deps.database;
    await db
      .insertInto('messages')
      .values({
        title: 'Диск',
        text: '',
        for_admins: true,
        created_at: new Date('2026-03-01T00:00:00Z'),
      })
      .execute();
    expect((await listOf('first')).titles).not.toContain('Диск');
    expect((await listOf('admin')).titles[0]).toBe('Диск');
  });
});
