// Rarer tasks with the keyboard alone: a merged video, the timeline, a route from a lap or a file, one's own password, and
// the first administrator of an installation.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../harness/browser.ts';
import { drive, planOf, recalculateDay } from '../harness/drive.ts';
import { gtfsZip } from '../harness/gtfs.ts';
import { mergePanel } from '../harness/merged-videos.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import { type Product, sendRecords, setUpFleet, signIn, startProduct } from '../harness/product.ts';
import { sendRecorded, waitForDay } from '../harness/recorded-fragments.ts';
import { openWalk, type Walk } from '../harness/walk.ts';
import { ZONE } from '../harness/zone.ts';

const HOUR_MS = 3_600_000;
const yesterday = addDays(dayOf(Date.now(), ZONE), -1);
const dayMs = dayRange(yesterday, ZONE).startMs;
/** The last one has frames of another size: a merge of them encodes it. */
const CLIPS = ['plain.mp4', 'plain.mp4', 'odd-size.mp4'] as const;

let product: Product;
let browser: Browser;
let folder: string;
let walk: Walk;
/** A bus with recordings, one on a route of which only the ends are known, and one on a whole route. */
let filmedId: number;
let bareId: number;
let wholeId: number;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-keys-'));
  product = await startProduct({ env: { FFMPEG_PATH: await makeSlowFfmpeg() } });
  const filmed = await setUpFleet(product.url, plainFleet({ buses: 1, cameras: 1 }));
  const [whole, bare] = await setUpFleet(product.url, planOf(ZONE));
  [filmedId, bareId, wholeId] = [filmed[0]?.bus_id ?? 0, bare?.bus_id ?? 0, whole?.bus_id ?? 0];
  const recorded = CLIPS.map((clip, at) => {
    const startMs = dayMs + 8 * HOUR_MS + at * 600_000;
    return { bus: 0, startMs, lengthMs: 6_000, clip };
  });
  await sendRecorded(product, filmed, recorded, folder);
  await waitForDay(product, { id: filmedId, date: yesterday }, CLIPS.length);
  await sendRecords(product.url, bare?.credential ?? '', drive(dayMs + 10 * HOUR_MS, 3));
  await recalculateDay(product.url, await signIn(product.url, 'admin'), bareId, yesterday);
  browser = await openBrowser();
});
afterEach(() => walk?.leave());
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  if (folder) await rm(folder, { recursive: true });
});

const held = () => path.join(folder, 'held');

/** Makes an ffmpeg that does not begin while a file is there: a merge is under way until somebody has cancelled it. */
async function makeSlowFfmpeg(): Promise<string> {
  const file = path.join(folder, 'ffmpeg');
  const real = process.env.FFMPEG_PATH ?? 'ffmpeg';
  const lines = [
    '#!/bin/sh',
    `while [ -e '${held()}' ]; do sleep 0.1; done`,
    `exec '${real}' "$@"`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o755 });
  return file;
}

async function open(address: string, as = 'admin'): Promise<void> {
  walk = await openWalk(browser, product.url, address, as);
}

it('a merged video is asked for, cancelled, asked for again and taken', async () => {
  await writeFile(held(), '');
  await open(`/bus/${filmedId}?date=${yesterday}`);
  const { page, press, type, key, at, button, dialog } = walk;
  const merge = button('Склеить видео');
  await press(merge);
  await at(dialog());
  await key('Escape');
  await walk.closed();
  await at(merge);
  await key('Enter');
  const from = dialog().getByRole('textbox', { name: 'Начало' });
  const handle = dialog().getByRole('slider', { name: 'Начало' });
  await press(handle, 'ArrowRight');
  expect(await from.inputValue()).toBe('08:10:00');
  await at(handle);
  await type(from, '08:00:00');
  await dialog().getByText('Войдёт 3 из 3').waitFor();
  await key('Enter');
  await walk.closed();
  await at(merge);

  const bell = page.getByRole('button', { name: /^(Уведомления|События)/ });
  await press(bell);
  await at(bell);
  const panel = mergePanel(page);
  await press(button('Отменить склейку', panel));
  await panel.getByText('Отменено').waitFor();
  await at(panel);
  await rm(held());
  await press(button('Повторить', panel));
  const take = button('Скачать', panel);
  await take.waitFor();
  await at(panel);
  const saved = page.waitForEvent('download');
  await press(take);
  expect((await saved).suggestedFilename()).toMatch(/\.mp4$/);
  await panel.getByText('скачано').waitFor();
  await at(panel);
  await key('Escape');
  await panel.waitFor({ state: 'detached' });
  await at(bell);
});

it('the timeline of a day is enlarged, moved, and leads to a fragment', async () => {
  await open(`/bus/${filmedId}?date=${yesterday}`);
  const { page, press, key, at, button } = walk;
  await page.locator('[data-fragment]').first().waitFor();
  const line = page.getByRole('slider', { name: /^Шкала записей/ });
  await walk.reach(line);
  const view = () => line.getAttribute('data-view');
  for (const step of ['Equal', 'End', 'PageUp', 'Home', 'Minus']) {
    const before = await view();
    await key(step);
    await expect.poll(view, { message: step }).not.toBe(before);
    await at(line);
  }
  await key('ArrowDown');
  await page.waitForURL(/fragment=\d+/);
  await at(line);
  const first = page.url();
  await key('ArrowDown');
  await page.waitForURL((now) => now.href !== first);
  await at(line);
  await press(button('Ближе'));
  await at(button('Ближе'));
  const enlarged = await view();
  await press(button('Весь день'));
  await expect.poll(view).not.toBe(enlarged);
  await at(walk.main());
});

it('a route is made out of a lap of a past day', async () => {
  await open(`/bus/${bareId}/route?date=${yesterday}`, 'operator');
  const { page, press, key, at, button, main } = walk;
  await press(page.getByRole('link', { name: /^Действия/ }));
  const action = main().getByRole('button', { name: /^Маршрут по кругу/ });
  await press(action);
  await at(action);
  const laps = page.getByRole('combobox', { name: /^Круг, / });
  await press(laps);
  await page.getByRole('option').nth(1).waitFor();
  await key('ArrowDown');
  await key('Enter');
  await at(laps);
  await page.getByText('останется 4, добавится 6, исчезнет 0.').waitFor();
  const closed = page.getByText('он не меняется').locator('..');
  await press(button('Изменить с сегодняшнего дня', closed));
  await closed.waitFor({ state: 'detached' });
  await at(main());
  const make = button('Создать из круга');
  await press(make);
  await page.getByText('Маршрут взят из круга').waitFor();
  await page.getByText('10 остановок').first().waitFor();
  await at(main());
});

it('a route is made out of a file, once it is said which of the file', async () => {
  await open(`/bus/${wholeId}/route?part=actions&act=file`, 'operator');
  const { page, press, type, key, at, button, main } = walk;
  await press(button('Создать новый'));
  await at(button('Создать новый'));
  const chooser = page.waitForEvent('filechooser');
  await press(button('Выбрать файл'));
  const feed = { name: 'город.zip', mimeType: 'application/zip', buffer: gtfsZip() };
  await (await chooser).setFiles(feed);
  const choices = page.getByRole('group', { name: 'Маршрут и направление из файла' });
  const fifth = choices.getByLabel(/^5: Вокзал ⇄ Завод/);
  await fifth.waitFor();
  await at(main());
  await press(fifth, 'Space');
  await page.getByRole('status').getByText('7 остановок', { exact: true }).waitFor();
  await at(fifth);
  const name = page.getByLabel('Название маршрута');
  await type(name, 'Речной');
  await key('Enter');
  await page.getByText('Такой маршрут уже есть').waitFor();
  await at(name);
  await type(name, 'Пятый');
  await key('Enter');
  await page.getByRole('heading', { name: /Пятый/ }).waitFor();
  await at(main());
});

it('one’s own password is changed, after one that was wrong', async () => {
  await open('/account', 'owner1');
  const { page, press, type, key, at, button } = walk;
  const part = walk.region('Пароль');
  const field = (name: string) => part.getByLabel(name, { exact: true });
  await press(button('Сохранить', part));
  await part.getByText('Заполните поле').first().waitFor();
  await type(field('Текущий пароль'), 'wrong');
  await type(field('Новый пароль'), 'a long password');
  await type(field('Ещё раз'), 'a long password');
  await key('Enter');
  await part.getByText('Текущий пароль не подходит').waitFor();
  await at(part);
  await type(field('Текущий пароль'), 'demo');
  await key('Enter');
  await page.getByText('Пароль сменён, другие сеансы завершены').waitFor();
  await at(part);
  await signIn(product.url, 'owner1', 'a long password');
});

it('the first administrator is made, and sees what to do first', async () => {
  const bare = await startProduct({ args: [] });
  try {
    walk = await openWalk(browser, bare.url, await bare.setupPath());
    const { page, press, type, key, at, button } = walk;
    const field = (name: string) => page.getByLabel(name, { exact: true });
    await field('Логин').waitFor();
    await press(button('Создать и войти'));
    await page.locator('[aria-invalid=true]').first().waitFor();
    await type(field('Логин'), 'chief');
    await type(field('Новый пароль'), 'the first password');
    await type(field('Ещё раз'), 'the first password');
    await key('Enter');
    const steps = walk.region('Первые шаги');
    await steps.waitFor();
    await at(walk.main());
    await press(steps.getByRole('link', { name: 'Создать: Клиент' }));
    await page.waitForURL(/\/admin\/customers\/new/);
    await at(page.getByRole('complementary').getByLabel('Название', { exact: true }));
  } finally {
    await bare.remove();
  }
});
