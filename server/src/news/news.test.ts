import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { insertTestNews } from '../test/news.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addNews } from './api.ts';

let server: TestServer;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addNews]);
  await insertTestFleet(server.deps.database.db);
  for (const role of ['admin', 'first', 'second']) tokens[role] = await server.signIn(role);
});
afterAll(() => server.close());
beforeEach(async () => {
  const { db } = server.deps.database;
  await db.deleteFrom('news_reads').execute();
  await db.deleteFrom('news').execute();
});

const db = () => server.deps.database.db;
const day = (number: number) => new Date(Date.UTC(2026, 0, number));
async function ask(url: string, role = 'first', method: 'GET' | 'POST' = 'GET') {
  const headers = { authorization: `Bearer ${tokens[role]}` };
  const answer = await server.app.inject({ method, url, headers });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() };
}
const titles = async (query: string, role?: string) =>
  (await ask(`/api/news/search${query}`, role)).body.items.map(
    (one: { title: string }) => one.title,
  );

describe('news', () => {
  it('are those that are shown now, the latest date first', async () => {
    await insertTestNews(db(), 'Вторая', { from: day(2) });
    await insertTestNews(db(), 'Третья', { from: day(3) });
    await insertTestNews(db(), 'Первая', { from: day(1) });
    await insertTestNews(db(), 'Снятая', { active: false });
    await insertTestNews(db(), 'Завтра', { from: new Date(server.clock.nowMs() + 86_400_000) });
    await insertTestNews(db(), 'Вопрос', { type: 'FAQ' });
    expect(await titles('')).toEqual(['Третья', 'Вторая', 'Первая']);
    expect(await titles('?sortBy=createdAt&sortType=ASC&perPage=5000&active=true')).toEqual([
      'Первая',
      'Вторая',
      'Третья',
    ]);
    await insertTestNews(db(), 'Ещё вопрос', { type: 'FAQ' });
    const questions = (await ask('/api/news/search?type=FAQ&pageSize=1')).body;
    expect(questions).toMatchObject({ items: [{ type: 'FAQ' }], total: 2 });
  });

  it('are sorted by the day from which they are shown, or by when they were written', async () => {
    await insertTestNews(db(), 'Написана раньше', { from: day(9), createdAt: day(1) });
    await insertTestNews(db(), 'Написана позже', { from: day(3), createdAt: day(2) });
    expect(await titles('')).toEqual(['Написана раньше', 'Написана позже']);
    expect(
      await titles('?sortBy=createdAt&sortType=DESC&perPage=5000&type=NEWS&active=true'),
    ).toEqual(['Написана позже', 'Написана раньше']);
  });

  it('come in pages of ten, from page 0', async () => {
    for (let number = 1; number <= 12; number += 1) {
      await insertTestNews(db(), `${number}`, { from: day(number) });
    }
    const first = (await ask('/api/news/search')).body;
    expect({ ...first, items: first.items.length }).toEqual({ items: 10, number: 0, total: 12 });
    expect(await titles('?page=1')).toEqual(['2', '1']);
    expect(await titles('?page=2&perPage=5')).toEqual(['2', '1']);
    for (const query of [
      '?perPage=0',
      '?page=-1',
      '?perPage=5001',
      '?pageSize=9999',
      '?sortBy=text',
    ]) {
      expect((await ask(`/api/news/search${query}`)).status, query).toBe(400);
    }
  });

  it('that are not shown are listed to administrators who ask for them, and to nobody else', async () => {
    await insertTestNews(db(), 'Снятая', { active: false });
    expect(await titles('?active=false', 'first')).toEqual([]);
    expect(await titles('?active=false', 'admin')).toEqual(['Снятая']);
    expect(await titles('', 'admin')).toEqual([]);
    for (const number of [1, 2, 3]) {
      await insertTestNews(db(), `Снятая ${number}`, { active: false, from: day(number) });
    }
    const pageOf = (page: number) =>
      titles(`?active=false&page=${page}&perPage=2&sortBy=title&sortType=ASC&type=NEWS`, 'admin');
    expect(await pageOf(0)).toEqual(['Снятая', 'Снятая 1']);
    expect(await pageOf(1)).toEqual(['Снятая 2', 'Снятая 3']);
  });

  it('are read by each user alone, and once', async () => {
    const { id } = await insertTestNews(db(), 'Новость');
    const isRead = async (role: string) => (await ask('/api/news/search', role)).body.items[0].read;
    expect(await isRead('first')).toBe(false);
    for (const _ of [1, 2]) {
      expect((await ask(`/api/news/${id}/read`, 'first', 'POST')).status).toBe(204);
    }
    expect(await isRead('first')).toBe(true);
    expect(await isRead('second')).toBe(false);
  });

  it('that are not shown cannot be read, as if they did not exist', async () => {
    const { id } = await insertTestNews(db(), 'Снятая', { active: false });
    expect((await ask(`/api/news/${id}/read`, 'first', 'POST')).status).toBe(404);
    expect((await ask('/api/news/999999/read', 'first', 'POST')).status).toBe(404);
  });
});

describe('the file of a news item', () => {
  const media = { name: 'схема.png', format: 'png', data: Buffer.from('89504e47', 'hex') };

  it('is sent as base64 with its format and name', async () => {
    const { mediaId } = await insertTestNews(db(), 'Новость', { media });
    expect((await ask(`/api/media-storage/media/${mediaId}`)).body).toEqual({
      data: 'iVBORw==',
      format: 'png',
      name: 'схема.png',
    });
  });

  it('of news that are not shown is for administrators', async () => {
    const { mediaId } = await insertTestNews(db(), 'Снятая', { media, active: false });
    expect((await ask(`/api/media-storage/media/${mediaId}`)).status).toBe(404);
    expect((await ask(`/api/media-storage/media/${mediaId}`, 'admin')).status).toBe(200);
  });

  it('of more than 10 MiB is not stored', async () => {
    const data = Buffer.alloc(10 * 1024 * 1024 + 1);
    await expect(insertTestNews(db(), 'Новость', { media: { ...media, data } })).rejects.toThrow(
      /media_data_check/,
    );
  });
});
