// News, questions and banners as administrators write them, and as readers then see them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addNews } from '../news/api.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { multipart } from '../test/multipart.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

let server: TestServer;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addNews, addAdministration]);
  await insertTestFleet(server.deps.database.db);
  await setClock('2026-11-20T09:00:00Z');
});
afterAll(() => server.close());

/** Sets the present; tokens of another one have run out. */
async function setClock(moment: string): Promise<void> {
  server.clock.set(Date.parse(moment));
  for (const role of ['admin', 'integrator', 'first']) tokens[role] = await server.signIn(role);
}

async function ask(method: string, url: string, body?: object, role = 'admin') {
  const headers = { authorization: `Bearer ${tokens[role]}` };
  const sent =
    body instanceof FormData
      ? await multipart(body, headers)
      : { headers, ...(body && { payload: body }) };
  const answer = await server.app.inject({ method: method as 'GET', url, ...sent });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() };
}
const formOf = (bytes: Uint8Array<ArrayBuffer> | string, name: string): FormData => {
  const form = new FormData();
  form.append('file', new File([bytes], name));
  return form;
};
const shown = async (type = 'NEWS') =>
  (await ask('GET', `/api/news/search?type=${type}`, undefined, 'first')).body.items;
const banners = async () =>
  (await ask('GET', '/api/news/active-messages', undefined, 'first')).body.items;
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2]);

describe('news', () => {
  it('are written as drafts, shown from their day on once they are active, and deleted', async () => {
    const made = await ask('POST', '/api/admin/news', { title: 'Ремонт', text: 'Ночью.' });
    expect(made.body).toMatchObject({
      ...{ type: 'NEWS', active: false, date_from: '2026-11-20', media: null, readers: 0 },
    });
    expect(await shown()).toEqual([]);
    const url = `/api/admin/news/${made.body.id}`;
    const wanted = { active: true, date_from: '2026-11-21' };
    expect((await ask('PUT', url, wanted)).body).toMatchObject({ active: true });
    expect(await shown()).toEqual([]);
    // The day begins in Moscow.
    await setClock('2026-11-20T21:00:00Z');
    expect(await shown()).toMatchObject([
      { title: 'Ремонт', dateFrom: '2026-11-20T21:00:00.000Z' },
    ]);
    const late = { title: 'Нет', seen: { title: 'Работы' } };
    expect((await ask('PUT', url, late)).body.field).toBe('seen.title');
    await ask('POST', `/api/news/${made.body.id}/read`, undefined, 'first');
    expect((await ask('GET', url)).body.readers).toBe(1);
    expect((await ask('DELETE', url)).status).toBe(204);
    expect(await shown()).toEqual([]);
    expect((await ask('DELETE', url)).status).toBe(404);
  });

  it('name who has read them, the last reader first', async () => {
    const made = await ask('POST', '/api/admin/news', { title: 'Цены', text: '!', active: true });
    const url = `/api/admin/news/${made.body.id}`;
    for (const [role, moment] of [
      ['first', '2026-11-21T09:00:00Z'],
      ['integrator', '2026-11-21T09:05:00Z'],
    ] as const) {
      await setClock(moment);
      await ask('POST', `/api/news/${made.body.id}/read`, undefined, role);
    }
    const { body } = await ask('GET', `${url}/readers`);
    expect(body).toMatchObject({
      items: [
        { login: 'integrator', read_at: '2026-11-21T09:05:00.000Z' },
        {
          login: 'first',
          client: { name: 'Первый Первый-фамилия' },
          read_at: '2026-11-21T09:00:00.000Z',
        },
      ],
      number: 0,
      total: 2,
    });
    const second = (await ask('GET', `${url}/readers?page=1&perPage=1`)).body;
    expect(second).toMatchObject({ items: [{ login: 'first' }], number: 1, total: 2 });
    expect((await ask('GET', `${url}/readers?search=перв`)).body.total).toBe(1);
    expect((await ask('GET', `${url}/readers`, undefined, 'integrator')).status).toBe(403);
    expect((await ask('GET', '/api/admin/news/999999/readers')).status).toBe(404);
    await ask('DELETE', url);
  });

  it('have something to see in their text', async () => {
    const body = { title: 'Пусто', text: '\u200b\u2800 \n' };
    for (const path of ['news', 'messages']) {
      expect(await ask('POST', `/api/admin/${path}`, body)).toMatchObject({
        status: 400,
        body: { field: 'text' },
      });
    }
  });

  it('are found by text, type and whether they are shown', async () => {
    await ask('POST', '/api/admin/news', { title: 'Как войти?', text: 'Паролем.', type: 'FAQ' });
    await ask('POST', '/api/admin/news', { title: 'Зима', text: 'Снег', active: true });
    const titles = async (query: string) =>
      (await ask('GET', `/api/admin/news?${query}`)).body.items.map(
        ({ title }: { title: string }) => title,
      );
    expect(await titles('type=FAQ')).toEqual(['Как войти?']);
    expect(await titles('active=true')).toEqual(['Зима']);
    expect(await titles('search=паролем')).toEqual(['Как войти?']);
  });
});

describe('the file of a news item', () => {
  let url: string;
  beforeAll(async () => {
    const body = { title: 'Схема', text: 'Во вложении', active: true };
    url = `/api/admin/news/${(await ask('POST', '/api/admin/news', body)).body.id}`;
  });

  it.each([
    ['схема.png', PNG, 'png'],
    ['схема.txt', PNG, 'png'],
    ['фото.jpg', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]), 'jpeg'],
    ['лист.pdf', '%PDF-1.7', 'pdf'],
    ['знак.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'svg'],
    ['знак.png', '<svg onload="alert(1)"/>', 'bin'],
    ['без имени', 'x', 'bin'],
    ['план.txt', 'x', 'txt', 'пл\u202eан.txt'],
  ])('%s is what its content says', async (name, bytes, format, sent = name) => {
    const { body } = await ask('PUT', `${url}/media`, formOf(bytes, sent));
    expect(body.media).toMatchObject({ name, format });
  });

  it('is sent to readers, and another one replaces it', async () => {
    const first = (await ask('PUT', `${url}/media`, formOf(PNG, 'a.png'))).body.media.id;
    const { media } = (await ask('PUT', `${url}/media`, formOf(PNG, 'b.png'))).body;
    const address = (id: number) => `/api/media-storage/media/${id}`;
    expect((await ask('GET', address(media.id), undefined, 'first')).body).toMatchObject({
      ...{ format: 'png', name: 'b.png' },
    });
    expect((await ask('GET', address(first))).status).toBe(404);
    expect((await ask('DELETE', `${url}/media`)).body).toMatchObject({ media: null });
    const left = await server.deps.database.db.selectFrom('media').select('id').execute();
    expect(left).toEqual([]);
  });

  it('of more than 10 MiB, or empty, is refused', async () => {
    const large = formOf(new Uint8Array(10 * 1024 * 1024 + 1), 'a.bin');
    expect(await ask('PUT', `${url}/media`, large)).toMatchObject({ status: 413 });
    const empty = await ask('PUT', `${url}/media`, formOf('', 'a.bin'));
    expect(empty).toMatchObject({ status: 400, body: { field: 'file' } });
  });
});

describe('banners', () => {
  it('are shown on their days, both included', async () => {
    const dates = { date_from: '2026-12-01', date_to: '2026-12-02' };
    const body = { title: 'Работы', text: 'Возможны перерывы', active: true, ...dates };
    const made = await ask('POST', '/api/admin/messages', body);
    const { id } = made.body;
    const at = async (moment: string) => {
      await setClock(moment);
      return (await banners()).length;
    };
    expect(await at('2026-11-30T20:59:00Z')).toBe(0);
    expect(await at('2026-11-30T21:00:00Z')).toBe(1);
    expect(await at('2026-12-02T20:59:00Z')).toBe(1);
    expect(await at('2026-12-02T21:00:00Z')).toBe(0);
    const url = `/api/admin/messages/${id}`;
    expect((await ask('GET', url)).body).toMatchObject(dates);
    const wrong = await ask('PUT', url, { date_from: '2026-12-03' });
    expect(wrong).toMatchObject({ status: 400, body: { field: 'date_to' } });
    expect((await ask('PUT', url, { date_to: null })).body.date_to).toBeNull();
    expect((await banners()).length).toBe(1);
    expect((await ask('PUT', url, { active: false })).status).toBe(200);
    expect(await banners()).toEqual([]);
    expect((await ask('DELETE', url)).status).toBe(204);
  });

  it('are at most twenty that are shown; the next one is refused, not cut off', async () => {
    const { db } = server.deps.database;
    await db.deleteFrom('messages').execute();
    const banner = { title: 'Banner', text: 'Text', active: true };
    const all = await Promise.all(
      Array.from({ length: 24 }, () => ask('POST', '/api/admin/messages', banner)),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(all.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      body: { error: 'conflict', field: 'active' },
    });
    const { body: draft } = await ask('POST', '/api/admin/messages', { ...banner, active: false });
    const show = { active: true };
    expect((await ask('PUT', `/api/admin/messages/${draft.id}`, show)).status).toBe(409);
    const { body: shown } = await ask('GET', '/api/news/active-messages');
    expect([shown.items.length, shown.total]).toEqual([20, 20]);
    await db.deleteFrom('messages').execute();
  });

  it('have an image that everybody sees while they are shown', async () => {
    const banner = { title: 'Ремонт', text: 'Схема объезда.' };
    const { body: made } = await ask('POST', '/api/admin/messages', banner);
    const url = `/api/admin/messages/${made.id}`;
    const first = (await ask('PUT', `${url}/media`, formOf(PNG, 'схема.png'))).body;
    expect(first).toMatchObject({ media: { name: 'схема.png', format: 'png', bytes: 10 } });
    const file = `/api/media-storage/media/${first.media.id}`;
    expect((await ask('GET', file, undefined, 'first')).status).toBe(404);
    await ask('PUT', url, { active: true });
    expect((await banners())[0]).toMatchObject({ title: 'Ремонт', mediaId: first.media.id });
    expect((await ask('GET', file, undefined, 'first')).body).toMatchObject({ format: 'png' });

    const second = (await ask('PUT', `${url}/media`, formOf(PNG, 'другая.png'))).body;
    expect(second.media.id).not.toBe(first.media.id);
    expect((await ask('GET', file)).status).toBe(404);
    expect((await ask('DELETE', `${url}/media`)).body.media).toBeNull();
    const third = (await ask('PUT', `${url}/media`, formOf(PNG, 'снова.png'))).body;
    expect((await ask('PUT', `${url}/media`, formOf(PNG, 'x.png'), 'first')).status).toBe(403);
    await ask('DELETE', url);
    expect((await ask('GET', `/api/media-storage/media/${third.media.id}`)).status).toBe(404);
  });

  it('of the server are no banners of administrators', async () => {
    const { id } = await server.deps.database.db
      .insertInto('messages')
      .values({ title: 'Диск', text: '-', details: '{}', created_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect((await ask('GET', '/api/admin/messages')).body.total).toBe(0);
    expect((await ask('DELETE', `/api/admin/messages/${id}`)).status).toBe(404);
  });
});

it('each change is in the audit log, and only administrators make them', async () => {
  const { pool } = server.deps.database;
  const { rows } = await pool.query<{ action: string }>(
    `select distinct action from audit_log where object_type in ('news', 'message') order by 1`,
  );
  expect(rows.map(({ action }) => action)).toEqual([
    ...['create_message', 'create_news', 'delete_message', 'delete_news'],
    ...['set_message', 'set_message_media', 'set_news', 'set_news_media'],
  ]);
  for (const role of ['integrator', 'first']) {
    for (const list of ['news', 'messages']) {
      expect((await ask('GET', `/api/admin/${list}`, undefined, role)).status).toBe(403);
      expect((await ask('DELETE', `/api/admin/${list}/1`, undefined, role)).status).toBe(403);
    }
  }
});
