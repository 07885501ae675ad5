// The administration: an administrator sets up a customer, its user, bus, unit and camera; an integrator sees its own.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { type BareProduct, startBareProduct } from '../harness/bare-product.ts';
import { typeSignIn, type Visit } from '../harness/browser.ts';
import { untilFocused } from '../harness/keyboard.ts';
import { signIn } from '../harness/product.ts';

let bare: BareProduct;
let page: Page;

beforeAll(async () => {
  bare = await startBareProduct();
});
afterAll(() => bare?.close());
afterEach(() => bare?.leave());

async function open(address: string, login = 'admin', options: Visit = {}): Promise<void> {
  page = await bare.visit(address, login, options);
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const drawer = () => page.getByRole('complementary');
const field = (name: string) => drawer().getByLabel(name, { exact: true });
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
const isSaved = () => page.getByText('Сохранено').first().waitFor();

// The form proposes the only bus; its list is there then. Filters have lists, too.
async function findBus(): Promise<void> {
  const name = 'А 001 АА · Парк Север';
  await expect.poll(() => field('Автобус').inputValue()).toBe(name);
  await field('Автобус').fill('А 001');
  await page.getByRole('option', { name }).waitFor();
  await pick('Автобус', name);
}

async function pick(name: string, value: string): Promise<void> {
  await field(name).fill(value);
}

describe('an administrator', () => {
  it('creates a customer, its user, bus, unit and camera, and the user signs in', async () => {
    await open('/admin/customers');
    await button('Добавить клиента').click();
    await button('Создать').click();
    await drawer().getByText('Заполните поле').waitFor();
    await field('Название').fill('Парк Север');
    await button('Создать').click();
    await isSaved();
    await row('Парк Север').waitFor();

    await page.goto('/admin/users/new');
    await field('Логин').fill('sever');
    await field('Первый пароль').fill('short');
    await pick('Клиент', 'Парк Север');
    await button('Создать').click();
    await drawer().getByText('Не короче 10 символов', { exact: true }).waitFor();
    await field('Первый пароль').fill('a long password');
    await button('Создать').click();
    await isSaved();

    await page.goto('/admin/buses/new');
    await field('Название').fill('А 001 АА');
    await pick('Клиенты', 'Парк Север');
    await field('Сидячих мест').fill('28');
    await button('Создать').click();
    await isSaved();
    await drawer().getByRole('heading', { name: 'А 001 АА' }).waitFor();

    await page.goto('/admin/units/new');
    await field('Номер прибора').fill('RW-20311');
    await findBus();
    await button('Создать').click();
    await drawer().getByText('больше он не будет показан').waitFor();
    const credential = await drawer().locator('code').textContent();
    const me = await fetch(`${bare.product.url}/unit/v1/me`, {
      headers: { authorization: `Bearer ${credential}` },
    });
    expect(await me.json()).toMatchObject({ device_id: 'RW-20311', cameras: [] });

    await page.goto('/admin/cameras/new');
    await findBus();
    await field('Название').fill('Дверь 1');
    await field('Поток').fill('door1');
    await field('Дверь').fill('1');
    await button('Создать').click();
    await isSaved();

    page = await bare.visit('/buses', null);
    await typeSignIn(page, 'sever', 'a long password');
    await page.waitForURL((address) => address.pathname !== '/login');
    await page.goto('/buses');
    await page.getByRole('link', { name: 'А 001 АА' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Управление' }).count()).toBe(0);
  });

  it('creates a customer with Enter: no later Enter discards it while the answer is on its way', async () => {
    await open('/admin/customers/new');
    let answer = (_isTaken: boolean): void => undefined;
    await page.route('**/api/admin/customers', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const isTaken = await new Promise<boolean>((resolve) => {
        answer = resolve;
      });
      if (isTaken) return route.continue();
      const json = { error: 'unavailable', message: 'Away.', requestId: 'r1' };
      return route.fulfill({ status: 503, json });
    });
    /** Presses Enter in the field, and again when the focus has had time to move on. */
    const pressTwice = async (): Promise<void> => {
      const sent = page.waitForRequest((request) => request.method() === 'POST');
      await page.keyboard.press('Enter');
      await sent;
      await page.locator('form [inert]').waitFor();
      await page.evaluate(async () => {
        for (let frame = 0; frame < 6; frame += 1) await new Promise(requestAnimationFrame);
      });
      await page.keyboard.press('Enter');
    };
    await field('Название').fill('Парк Юг');
    await pressTwice();
    answer(false);
    await untilFocused(field('Название'));
    expect(await field('Название').inputValue()).toBe('Парк Юг');
    await pressTwice();
    answer(true);
    await untilFocused(drawer().getByRole('heading', { name: 'Парк Юг' }));
  });

  it('changes the zone of a bus from a day on, and is told of what another one changed meanwhile', async () => {
    await open('/admin/buses?q=А 001');
    await row('А 001 АА').getByRole('link').click();
    await button('Изменить с даты').click();
    await drawer().locator('[aria-current=date]').click();
    await pick('Часовой пояс', 'Asia/Omsk');
    await button('Сохранить').click();
    await isSaved();
    await drawer().getByText('Asia/Omsk').first().waitFor();

    await button('Изменить').click();
    await field('Описание').fill('с подъёмником');
    const token = await signIn(bare.product.url, 'admin');
    const url = `${bare.product.url}/api/admin/buses/${page.url().match(/buses\/(\d+)/)?.[1]}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    // The server merges changes of other fields.
    const other = { description: 'с аппарелью', capacity_seated: 30 };
    const body = JSON.stringify(other);
    expect((await fetch(url, { method: 'PUT', headers, body })).status).toBe(200);
    await button('Сохранить').click();
    await page.getByText('уже изменил поле «Описание», теперь там: с аппарелью').waitFor();
    await button('Записать моё поверх').click();
    // The toast of the last change may still be there.
    await button('Изменить').waitFor();
    const stored = await (await fetch(url, { headers })).json();
    expect(stored).toMatchObject({ description: 'с подъёмником', capacity_seated: 30 });
  });

  it('is asked before unsaved changes are lost', async () => {
    await open('/admin/customers?q=Север');
    await row('Парк Север').getByRole('link').click();
    await button('Изменить').click();
    await field('Фамилия').fill('Петров');
    await page.getByRole('link', { name: /^Пользователи/ }).click();
    await page.getByText('Есть несохранённые изменения').waitFor();
    await button('Остаться').click();
    expect(await field('Фамилия').inputValue()).toBe('Петров');
    await page.goBack();
    await button('Не сохранять').click();
    await page.waitForURL((address) => !/customers\/\d/.test(address.pathname));
  });

  it('puts a unit into test mode, sees what it sends, and releases it', async () => {
    await open('/admin/units?q=RW-20311');
    await row('RW-20311').getByRole('link').click();
    await button('Начать тест').click();
    await button('Засчитать и закончить').waitFor();
    await button('Слушать 15 минут').click();
    await drawer().getByText('Запись до').waitFor();
    await button('Сменить ключ').click();
    const credential = await drawer().locator('code').textContent();
    const batch = { stream: randomUUID(), sent_at: new Date().toISOString(), records: [] };
    const answer = await fetch(`${bare.product.url}/unit/v1/batches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...batch, firmware: '4.12.3' }),
    });
    expect(answer.status).toBe(200);
    await drawer().getByText('· принято ·').click();
    await drawer().getByText('"firmware": "4.12.3"').waitFor();
    await button('Засчитать и закончить').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Засчитать и закончить' }).click();
    await button('Начать тест').waitFor();
  });

  it.each(['desktop', 'phone'] as const)(
    'presses on a %s what it points at while parts of the drawer still load',
    async (kind) => {
      await open('/admin/buses', 'admin', { phone: kind === 'phone' });
      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
      await page.route(/\/api\/admin\/(buses\/\d+\/happenings|units\/\d+)$/, async (route) => {
        await isReleased;
        await route.continue();
      });
      await page.getByRole('link', { name: 'А 001 АА' }).first().click();
      const retire = button('Вывести из парка');
      await retire.hover();
      await page.mouse.down();
      release();
      await drawer().getByText('Ещё ничего не было.').waitFor();
      await drawer().getByText('Последняя связь').waitFor();
      await page.mouse.up();
      await page.getByRole('dialog').getByRole('button', { name: 'Отмена' }).click();
      await retire.waitFor();
    },
  );

  it('takes a bus out of the fleet and returns it', async () => {
    await open('/admin/buses?q=А 001');
    await row('А 001 АА').getByRole('link').click();
    await button('Вывести из парка').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Вывести из парка' }).click();
    await button('Вернуть в парк').waitFor();
    const listed = page.waitForResponse((answer) => answer.url().endsWith('/api/bus_list'));
    await page.goto('/buses');
    const names = ((await (await listed).json()) as { items: { name: string }[] }).items;
    expect(names.map(({ name }) => name)).not.toContain('А 001 АА');
    expect(await page.getByRole('link', { name: 'А 001 АА' }).count()).toBe(0);
    await page.goto('/admin/buses?retired=true');
    await row('А 001 АА').getByRole('link').click();
    await button('Вернуть в парк').click();
    await button('Вывести из парка').waitFor();
  });

  it('sees the product as its user does, changes nothing, and comes back', async () => {
    await open('/admin/users?q=owner1');
    await row('owner1').getByRole('link').click();
    await button('Посмотреть как этот пользователь').click();
    const bar = page.getByRole('complementary', { name: 'Просмотр от имени пользователя' });
    await bar.getByText('Просмотр как owner1.').waitFor();
    await page.waitForURL((address) => address.pathname === '/');
    await page.goto('/account');
    await page.getByText('owner1').first().waitFor();
    await bar.waitFor();
    expect(await page.getByLabel('Текущий пароль').isDisabled()).toBe(true);
    const save = page.getByRole('region', { name: 'Пароль', exact: true }).getByRole('button');
    expect(await save.isDisabled()).toBe(true);
    expect(await save.getAttribute('title')).toContain('Это просмотр от чужого имени');
    expect(await findAxeFaults(page)).toEqual([]);
    // A long login is cut on a narrow phone, never that nothing can be changed.
    await page.setViewportSize({ width: 320, height: 640 });
    const note = await bar.getByText('Менять ничего нельзя.').boundingBox();
    const line = await bar.locator('p').boundingBox();
    expect(note?.width).toBeGreaterThan(100);
    expect(note?.width).toBeLessThanOrEqual(line?.width ?? 0);
    const end = await bar.getByText(/^В \d\d:\d\d МСК вы снова admin\.$/).boundingBox();
    const whole = await bar.boundingBox();
    expect(end?.width).toBeGreaterThan(100);
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual(640);
    expect(line?.y).toBeGreaterThanOrEqual(whole?.y ?? 0);
    expect(await findAxeFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 1680, height: 1050 });
    await bar.getByRole('button', { name: 'Закончить' }).click();
    await drawer().getByRole('heading', { name: 'owner1' }).waitFor();
    expect(await bar.count()).toBe(0);
  });

  it('finds in the audit log who did what', async () => {
    await open('/admin/audit?q=set_bus_settings');
    await row('настройки автобуса с даты').first().getByRole('link').click();
    await drawer().getByRole('cell', { name: 'Asia/Omsk', exact: true }).waitFor();
    await drawer().getByText('admin', { exact: true }).waitFor();
    await page.goto('/admin/buses?q=А 001');
    await row('А 001 АА').getByRole('link').click();
    await drawer().getByRole('link', { name: 'Журнал объекта' }).click();
    await row('настройки автобуса с даты').first().waitFor();
    expect(await row('новый клиент').count()).toBe(0);
    const download = page.waitForEvent('download');
    await button('Скачать XLSX').click();
    expect((await download).suggestedFilename()).toBe('Журнал.xlsx');
  });
});

describe('an integrator', () => {
  it('sees the buses of its customers, and neither customers nor the log', async () => {
    await open('/admin', 'integrator');
    await page.waitForURL('**/admin/buses');
    const menu = page.getByRole('navigation', { name: 'Разделы управления' });
    await menu.getByRole('link', { name: /^Приборы/ }).waitFor();
    expect(await menu.getByRole('link', { name: /^(Клиенты|Журнал)/ }).count()).toBe(0);
    expect(await page.getByText('А 001 АА').count()).toBe(0);
  });
});

describe('the administration', () => {
  it.each([
    ['on a desktop', {}],
    ['in the dark', { dark: true }],
    ['on a phone', { phone: true }],
  ])('has no faults that axe finds, %s', async (_, options) => {
    await open('/admin/buses', 'admin', options);
    await page.getByRole('table').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await row('А 001 АА').getByRole('link').click();
    await button('Изменить').click();
    await field('Описание').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
  });

  it('has whole columns and buttons at 1,280 px, also beside a drawer', async () => {
    await open('/admin/buses');
    await page.setViewportSize({ width: 1280, height: 800 });
    // The list of what a command changed may be longer than any column.
    const cut = () =>
      page.evaluate(() => {
        const cells = [...document.querySelectorAll('th, td:not(:nth-child(5))')].filter(
          (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 3,
        );
        const buttons = [...document.querySelectorAll('main header button')].filter(
          (one) => one.clientHeight > 40 || one.scrollWidth > one.clientWidth,
        );
        return [...cells, ...buttons].map(({ textContent }) => textContent);
      });
    for (const section of ['users', 'buses', 'audit']) {
      await page.goto(`/admin/${section}`);
      const first = page.locator('[data-row="0"]');
      await first.waitFor();
      await expect.poll(cut, { message: section }).toEqual([]);
      await first.getByRole('link').click();
      await drawer().getByRole('heading').first().waitFor();
      await expect.poll(cut, { message: `${section} with a drawer` }).toEqual([]);
    }
  });
});
