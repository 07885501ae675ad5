// The administration with the keyboard alone (keyboard.long.test.ts has tables and several rows): all that is made, set,
// merged and deleted there, a unit that is tested, jobs and the log. axe judges the drawers that e2e/book/views.ts lacks.
import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser } from '../harness/browser.ts';
import { planOf } from '../harness/drive.ts';
import {
  ask,
  type Product,
  queryOf,
  sendRecords,
  setUpFleet,
  signIn,
  startProduct,
} from '../harness/product.ts';
import { openWalk, type Walk } from '../harness/walk.ts';
import { ZONE } from '../harness/zone.ts';

/** A clock that was never set. */
const UNSET_MS = Date.UTC(2001, 0, 1, 12);
const HOUR_MS = 3_600_000;
const DAY = 'DD.MM.YYYY';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

let product: Product;
let browser: Browser;
let walk: Walk;
let units: Awaited<ReturnType<typeof setUpFleet>>;

beforeAll(async () => {
  // Nobody answers there: no walk sends a letter.
  product = await startProduct({
    env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'ridewatch@example.test' },
  });
  units = await setUpFleet(product.url, planOf(ZONE));
  browser = await openBrowser();
});
afterEach(() => walk?.leave());
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});

async function call<T>(method: string, address: string, body?: object): Promise<T> {
  return ask<T>(product.url, await signIn(product.url, 'admin'), method, address, body);
}
async function open(address: string): Promise<void> {
  walk = await openWalk(browser, product.url, address, 'admin');
}

const drawer = () => walk.page.getByRole('complementary').last();
const field = (name: string) => drawer().getByLabel(name, { exact: true });
const tool = (name: string) => walk.button(name, drawer());
const heading = (name: string) => drawer().getByRole('heading', { name, exact: true });
const linkOf = (name: string) =>
  walk.page.getByRole('row', { name: new RegExp(name) }).getByRole('link');

/** Opens the drawer of a row that its section has found. */
async function openRow(section: string, name: string): Promise<void> {
  await open(`/admin/${section}?q=${name}`);
  await walk.press(linkOf(name));
  await walk.at(drawer());
}

/** Goes from the section to another one, and opens the form of a new row. */
async function begin(section: string, add: string, first: string): Promise<void> {
  const menu = walk.page.getByRole('navigation', { name: 'Разделы управления' });
  await walk.press(menu.getByRole('link', { name: new RegExp(`^${section}`) }));
  await walk.press(walk.button(add));
  await walk.at(field(first));
}

/** Types a part of a name into a field with options, and takes the one that it finds. */
async function pick(where: Locator, typed: string, option: string | RegExp): Promise<void> {
  await walk.type(where, typed);
  await walk.page.getByRole('option', { name: option }).waitFor();
  const taken = async () => {
    await walk.key('Enter');
    return walk.page.getByRole('listbox').count();
  };
  // Until it has searched for what was typed, Enter takes nothing.
  await expect.poll(taken).toBe(0);
  await walk.at(where);
}

/** Presses a button that asks first: leaves it once, then means it. */
async function insist(name: string): Promise<void> {
  const { press, key, at, closed, button, dialog } = walk;
  await press(tool(name));
  await at(dialog());
  await key('Escape');
  await closed();
  await at(tool(name));
  await key('Enter');
  await press(button(name, dialog()));
  await closed();
}

it('a customer, its user, bus, unit and camera are created one after the other', async () => {
  await open('/admin/customers');
  const { press, type, key, at } = walk;
  await begin('Клиенты', 'Добавить клиента', 'Название');
  await key('Enter');
  await drawer().getByText('Заполните поле').waitFor();
  await at(field('Название'));
  await type(field('Название'), 'Парк Север');
  await key('Enter');
  await heading('Парк Север').waitFor();
  await at(drawer());

  await begin('Пользователи', 'Добавить пользователя', 'Логин');
  await type(field('Логин'), 'sever');
  await type(field('Первый пароль'), 'short');
  await pick(field('Клиент'), 'Север', 'Парк Север');
  await press(tool('Создать'));
  await drawer().getByText('Не короче 10 символов', { exact: true }).waitFor();
  await at(field('Первый пароль'));
  await type(field('Первый пароль'), 'a long password');
  await key('Enter');
  await heading('sever').waitFor();
  await at(drawer());
  expect(await findAxeFaults(walk.page)).toEqual([]);

  await begin('Автобусы', 'Добавить автобус', 'Название');
  await type(field('Название'), 'А 001 АА');
  await pick(field('Клиенты'), 'Анн', /^Анна/);
  await press(drawer().getByRole('button', { name: /^Убрать: Анна/ }));
  await at(drawer());
  await pick(field('Клиенты'), 'Север', 'Парк Север');
  await type(field('Сидячих мест'), '28');
  await key('Enter');
  await heading('А 001 АА').waitFor();
  await at(drawer());

  await begin('Приборы', 'Добавить прибор', 'Номер прибора');
  await type(field('Номер прибора'), 'RW-20311');
  await expect.poll(() => field('Автобус').inputValue()).toBe('А 001 АА · Парк Север');
  await press(tool('Создать'));
  await drawer().getByText('больше он не будет показан').waitFor();
  await at(drawer());

  await begin('Камеры', 'Добавить камеру', 'Автобус');
  await pick(field('Автобус'), 'А 0', 'А 001 АА · Парк Север');
  await type(field('Название'), 'Дверь 1');
  await type(field('Поток'), 'door1');
  await type(field('Дверь'), '1');
  await press(field('Считает дверь'), 'Space');
  await press(tool('Создать'));
  await heading('Дверь 1 · А 001 АА').waitFor();
  await at(drawer());
  await key('Escape');
  await at(linkOf('Дверь 1'));
});

it('a link for a new password is made, copied, and used', async () => {
  await openRow('users', 'owner3');
  const { page, press, type, key, at } = walk;
  const mail = field('Отправить на почту');
  await type(mail, 'почта');
  await key('Enter');
  await drawer().getByText('Введите адрес почты').waitFor();
  await at(mail);
  await type(mail, '');
  await key('Backspace');
  await press(tool('Сделать ссылку'));
  const link = (await drawer().locator('code').textContent()) ?? '';
  await at(tool(`Скопировать ${link}`));
  await key('Enter');
  await expect.poll(walk.copied).toBe(link);
  await at(drawer());
  await page.goto(link);
  for (const name of ['Новый пароль', 'Ещё раз']) {
    await type(page.getByLabel(name, { exact: true }), 'Длинный пароль 7');
  }
  await key('Enter');
  await page.getByRole('heading', { name: 'Пароль задан' }).waitFor();
  await at(page.getByRole('link', { name: 'Войти' }));
});

it('the settings of a bus are changed from a day on', async () => {
  await openRow('buses', 'Г 200 ГГ');
  const { page, press, key, at } = walk;
  const change = tool('Изменить с даты');
  await press(change);
  await at(drawer().locator('[aria-current=date]'));
  await press(tool('Отмена'));
  await at(change);
  await key('Enter');
  await at(drawer().locator('[aria-current=date]'));
  await key('ArrowLeft');
  await key('Enter');
  const yesterday = formatMoment(Date.now() - 24 * HOUR_MS, ZONE, DAY);
  await heading(`Изменить с даты: ${yesterday}`).waitFor();
  await at(field('Маршрут'));
  await pick(field('Часовой пояс'), 'Omsk', 'Asia/Omsk');
  await press(tool('Сохранить'));
  await drawer().getByText('Asia/Omsk').first().waitFor();
  await at(change);
  const history = drawer().locator('summary', { hasText: 'Как менялось' });
  await press(history);
  await at(history);
  await page.locator('details[open]').first().waitFor();
});

it('a unit is tested: it is listened to, what it sends is read and counted', async () => {
  await openRow('units', 'ROUTE-2');
  const { press, at } = walk;
  await press(tool('Начать тест'));
  await tool('Засчитать и закончить').waitFor();
  await at(drawer());
  await press(tool('Слушать 15 минут'));
  await drawer().getByText('Запись до').waitFor();
  await at(tool('Слушать 15 минут'));
  await press(tool('Сменить ключ'));
  const credential = (await drawer().locator('code').textContent()) ?? '';
  await at(drawer());
  const person = { type: 'passenger', time: new Date().toISOString(), door: 1 };
  await sendRecords(product.url, credential, [
    { ...person, direction: 'entered', passenger: 'adult' },
  ]);
  const batch = drawer().locator('summary', { hasText: '· принято ·' });
  await press(batch);
  await drawer().getByText('"direction": "entered"').waitFor();
  await at(batch);
  expect(await findAxeFaults(walk.page)).toEqual([]);
  await insist('Засчитать и закончить');
  await tool('Начать тест').waitFor();
  await at(drawer());
});

it('records without a time get one, or are deleted', async () => {
  const [unit] = units;
  for (const minute of [0, 1]) {
    const time = new Date(UNSET_MS + minute * 60_000).toISOString();
    const person = { type: 'passenger', time, door: 1, direction: 'entered', passenger: 'adult' };
    await sendRecords(product.url, unit?.credential ?? '', [person]);
  }
  await openRow('units', 'ROUTE-1');
  const { page, press, type, key, at, button } = walk;
  const groups = drawer().locator('summary', { hasText: 'вошло 1, вышло 0' });
  await expect.poll(() => groups.count()).toBe(2);
  await press(groups.first());
  await at(groups.first());
  const hourAgo = formatMoment(Date.now() - HOUR_MS, FALLBACK_ZONE, `${DAY} HH:mm`);
  const [day, clock] = hourAgo.split(' ') as [string, string];
  const group = drawer().locator('details[open]').first();
  await press(button('Время первой из них: —', group));
  await type(page.getByLabel('Дата цифрами'), day);
  await key('Enter');
  await at(button(`Время первой из них: ${day}`, group));
  await type(group.getByLabel('Время, московское'), clock);
  expect(await findAxeFaults(page)).toEqual([]);
  await press(button('Засчитать', group));
  await expect.poll(() => groups.count()).toBe(1);
  await at(drawer());
  await press(groups.first());
  await insist('Удалить');
  await groups.first().waitFor({ state: 'detached' });
  await at(drawer());
});

it('how long a customer’s data are kept is changed', async () => {
  await openRow('customers', 'Анна');
  const { press, type, key, at } = walk;
  const change = tool('Изменить сроки');
  await press(change);
  await at(field('Видео'));
  await press(tool('Отмена'));
  await at(change);
  await key('Enter');
  await at(field('Видео'));
  await type(field('Видео'), 'месяц');
  await key('Enter');
  await drawer().locator('[aria-invalid=true]').waitFor();
  await at(field('Видео'));
  await type(field('Видео'), '30');
  await key('Enter');
  await drawer().getByText('30', { exact: true }).waitFor();
  await at(change);
});

it('two places become one, and a route is made and deleted', async () => {
  await openRow('classifiers', 'Остановка 2');
  const { press, type, key, at } = walk;
  const into = field('Объединить с остановкой');
  await type(into, 'Остановка 3');
  await walk.page.getByRole('option').first().waitFor();
  await key('Enter');
  await at(into);
  await insist('Объединить');
  await heading('Остановка 3').waitFor();
  await at(drawer());
  await key('Escape');

  await begin('Маршруты', 'Добавить маршрут', 'Клиент');
  await pick(field('Клиент'), 'Анн', /^Анна/);
  await type(field('Название'), 'Пустой');
  await key('Enter');
  await heading('Пустой').waitFor();
  await at(drawer());
  await insist('Удалить маршрут');
  await linkOf('Пустой').waitFor({ state: 'detached' });
  await at(walk.main());
  await press(linkOf('Голый'));
  await at(drawer());
});

it('a job that waits for its time is run now', async () => {
  await queryOf(
    product,
    `select graphile_worker.add_job('retention', run_at := now() + interval '1 hour', job_key := 'later')`,
  );
  await open('/admin/jobs');
  const { press, at } = walk;
  await press(linkOf('удаление устаревшего'));
  await at(drawer());
  expect(await findAxeFaults(walk.page)).toEqual([]);
  await press(tool('Выполнить сейчас'));
  await drawer().getByText('В очереди его больше нет.').first().waitFor();
  await at(drawer());
});

it('the log is filtered by who, what and when, a command is read, and what was found is saved', async () => {
  await call('POST', '/api/admin/customers', { name: 'Парк Запад' });
  await open('/admin/audit');
  const { page, press, type, key, at, button, main } = walk;
  const filter = (name: string) => main().getByRole('combobox', { name });
  await pick(filter('Кто'), 'adm', 'admin');
  await page.waitForURL(/who=\d+/);
  await pick(filter('Действие'), 'новый клие', 'новый клиент');
  await page.waitForURL(/action=/);
  const since = page.getByRole('button', { name: /^С: / });
  await press(since);
  await type(page.getByLabel('Дата цифрами'), formatMoment(Date.now(), FALLBACK_ZONE, DAY));
  await key('Enter');
  await page.waitForURL(/from=/);
  await at(since);
  await press(linkOf('Парк Запад'));
  await drawer().getByRole('cell', { name: 'Парк Запад' }).waitFor();
  await at(drawer());
  await press(drawer().locator('summary'));
  await key('Escape');
  await at(linkOf('Парк Запад'));
  const save = button('Скачать CSV');
  const saved = page.waitForEvent('download');
  await press(save);
  expect((await saved).suggestedFilename()).toBe('Журнал.csv');
  await at(save);
  await press(button('Сбросить фильтры'));
  await page.waitForURL((now) => now.search === '');
  await at(main());
});

it('a banner gets an image, loses it, and is deleted', async () => {
  await open('/admin/messages');
  const { page, press, type, at, button } = walk;
  await press(button('Написать'));
  await at(field('Заголовок'));
  await type(field('Заголовок'), 'Работы ночью');
  await type(field('Текст'), 'Возможны перерывы.');
  await press(field('Показывать'), 'Space');
  await press(tool('Создать'));
  await heading('Работы ночью').first().waitFor();
  await at(drawer());
  const chooser = page.waitForEvent('filechooser');
  await press(drawer().getByRole('button', { name: /^Выбрать файл/ }));
  await (await chooser).setFiles({ name: 'night.png', mimeType: 'image/png', buffer: PNG });
  await tool('Убрать файл').waitFor();
  await at(drawer());
  const banner = drawer().locator('summary');
  await press(banner);
  await drawer().getByRole('img', { name: 'Работы ночью' }).waitFor();
  await at(banner);
  expect(await findAxeFaults(page)).toEqual([]);
  await press(tool('Убрать файл'));
  await tool('Убрать файл').waitFor({ state: 'detached' });
  await at(drawer());
  await insist('Удалить');
  await linkOf('Работы ночью').waitFor({ state: 'detached' });
  await at(walk.main());
});
