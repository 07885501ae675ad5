// Tables of buses from a spreadsheet and from texts: mended in the page, then loaded; nothing before that.
import { xlsxOf } from '@ridewatch/server/src/reports/writing/xlsx.ts';
import { zipOf } from '@ridewatch/server/src/test/zip.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, type Visit } from '../harness/browser.ts';
import { type Product, signIn, startProduct } from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';

let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  await ask('POST', '/api/admin/customers', { name: 'Парк Север' });
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(() => context?.close());

async function ask(method: string, path: string, body?: object) {
  const answer = await fetch(`${product.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await signIn(product.url, 'admin')}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as { total: number; items: { id: number; name: string }[] };
}

async function open(section: string, options: Visit = {}, login = 'admin'): Promise<void> {
  context = await openVisit(browser, product.url, { ...options, as: login });
  page = await context.newPage();
  await page.goto(`/admin/${section}`);
}
const dialog = () => page.getByRole('dialog');
const button = (name: string) => dialog().getByRole('button', { name, exact: true });

async function choose(name: string, content: Buffer | string): Promise<void> {
  await page.getByRole('button', { name: 'Загрузить из таблицы' }).click();
  const file = { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) };
  await dialog().locator('input[type=file]').setInputFiles(file);
}

const HEADINGS = ['Номер', 'Клиент', 'Маршрут', 'Мест всего', 'Прибор', 'Часовой пояс'];

async function spreadsheet(...rows: (string | number)[][]): Promise<Buffer> {
  async function* lots() {
    yield rows;
  }
  const columns = HEADINGS.map((title) => ({ title, type: 'text' as const }));
  const parts: Buffer[] = [];
  for await (const part of xlsxOf({ name: 'Парк', columns, lots: lots() })) parts.push(part);
  return Buffer.concat(parts);
}
const bus = (plate: string, places = '100', route = 'м6') => [
  ...[plate, 'Парк Север', route, places, `RW-${plate}`, 'Europe/Moscow'],
];
const countBuses = async () => (await ask('GET', '/api/admin/buses?search=МР')).total;

describe('a spreadsheet of buses', () => {
  it('names each bad cell, is mended in place, and is loaded with one press', async () => {
    await open('buses');
    const rows = [bus('801 МР'), bus('802 МР'), bus('803 МР', 'сто'), bus('802 МР'), bus('805 МР')];
    await choose('avtobusy.xlsx', await spreadsheet(...rows));
    await dialog().getByText('avtobusy.xlsx · лист «Парк»').waitFor();
    await dialog().getByText('5 строк').waitFor();
    await dialog().getByText('Показаны строки 1–5 из 5.').waitFor();
    await dialog().getByText('3 добавятся').waitFor();
    await dialog().getByText('1 новый маршрут').waitFor();
    await dialog().getByText('4 новых прибора').waitFor();
    await dialog().getByRole('cell', { name: 'RW-801 МР новый' }).waitFor();
    await dialog().getByText('2 с ошибкой').waitFor();
    await dialog().getByText('Ячейка D4: «сто» — не целое число от 0 до 500.').waitFor();
    expect(await button('Загрузить 3 автобуса').isDisabled()).toBe(true);
    expect(await dialog().getByLabel('Что в столбце D').inputValue()).toBe('places');

    await dialog().getByLabel('Показать только замечания').check();
    expect(await dialog().getByRole('row').count()).toBe(4);
    await dialog().getByLabel('Показать только замечания').uncheck();
    const download = page.waitForEvent('download');
    await button('Ошибки в CSV').click();
    expect((await download).suggestedFilename()).toBe('errors.csv');

    // One press leads to the fault that is named, the next one to the next fault.
    await button('1 из 3').click();
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-cell') === '2 3');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('100');
    await page.keyboard.press('Enter');
    await dialog().getByText('Ячейка A5: «802 МР» — то же, что в A3.').waitFor();
    const plate = dialog().getByLabel('Ячейка A5: то же, что в A3');
    await plate.fill('804 МР');
    await plate.press('Enter');
    const device = dialog().getByLabel('Ячейка E5: то же, что в E3');
    await device.fill('RW-804 МР');
    await device.press('Enter');
    await dialog().getByText('5 добавятся').waitFor();
    await dialog().getByText('5 новых приборов').waitFor();
    expect(await countBuses()).toBe(0);
    await button('Загрузить 5 автобусов').click();
    await dialog().getByText('Готово. Добавлено: 5, изменено: 0.').waitFor();
    expect(await countBuses()).toBe(5);

    // The credentials are shown this once: who closes the dialog is asked first.
    await button('Закрыть').last().click();
    await button('Остаться').click();
    const keys = page.waitForEvent('download');
    await button('Скачать ключи').click();
    const saved = await (await (await keys).createReadStream()).toArray();
    expect(Buffer.concat(saved).toString()).toMatch(/RW-801 МР;801 МР;rwu_/);
    await button('Закрыть').last().click();
    await page.getByRole('row', { name: /801 МР/ }).waitFor();
  });

  it('has the whole name of its file below the title on the narrowest phone', async () => {
    await open('buses', { phone: true });
    await page.setViewportSize({ width: 360, height: 740 });
    for (const name of [
      'park.csv',
      'Автобусы парка Север на ноябрь 2026 года, вторая версия.csv',
    ]) {
      await choose(name, 'Название;Клиент\n801 МР;Парк Север\n');
      const title = dialog().getByRole('heading', { name });
      const [word, note] = await title.evaluate((one) =>
        [...one.childNodes]
          .filter(({ textContent }) => textContent?.trim())
          .map((part) => {
            const range = document.createRange();
            range.selectNodeContents(part);
            const { left, right, top, bottom } = range.getBoundingClientRect();
            return { left, right, top, bottom };
          }),
      );
      const close = await button('Закрыть').first().boundingBox();
      expect(note?.left).toBe(word?.left);
      expect(note?.top).toBeGreaterThanOrEqual(word?.bottom ?? Number.NaN);
      expect(note?.right).toBeLessThanOrEqual(close?.x ?? Number.NaN);
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
    }
  });

  it('that is loaded a second time changes what became different, and leaves the rest alone', async () => {
    await open('buses');
    const rows = [bus('801 МР'), bus('802 МР', '120'), bus('901 МР')];
    await choose('avtobusy.xlsx', await spreadsheet(...rows));
    await dialog().getByText('1 добавится').waitFor();
    await dialog().getByText('1 изменится').waitFor();
    await dialog().getByText('1 без изменений').waitFor();
    await dialog()
      .getByRole('row', { name: /802 МР.*было: 100/ })
      .waitFor();
    await dialog().getByLabel('Показать только замечания').check();
    expect(await dialog().getByRole('row').count()).toBe(2);
    await button('Загрузить 2 автобуса').click();
    await dialog().getByText('Готово. Добавлено: 1, изменено: 1.').waitFor();
    expect(await countBuses()).toBe(6);
  });

  it('that was exported has nothing to load, and an edited cell of it is one change', async () => {
    await open('buses');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Скачать XLSX', exact: true }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('Автобусы.xlsx');
    const bytes = Buffer.concat(await (await download.createReadStream()).toArray());
    await choose('Автобусы.xlsx', bytes);
    await dialog().getByText('Таблица совпадает с тем, что есть: загружать нечего.').waitFor();
    expect(await dialog().getByText('с ошибкой').count()).toBe(0);
    await button('Отмена').click();

    const text = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Скачать CSV', exact: true }).click();
    const csv = Buffer.concat(await (await (await text).createReadStream()).toArray()).toString();
    await choose('Автобусы.csv', csv.replace(/(801 МР.*?;)100;/, '$190;'));
    await dialog().getByText('1 изменится').waitFor();
    await button('Загрузить 1 автобус').click();
    await dialog().getByText('Готово. Добавлено: 0, изменено: 1.').waitFor();
  });
});

it('at 1,280 px the headings and cells of a table are whole', async () => {
  await open('buses');
  await page.setViewportSize({ width: 1280, height: 800 });
  const content =
    'Номер;Клиент;Маршрут;Сидячих мест;Стоячих мест;Прибор;Часовой пояс;Тип;Описание\n' +
    'А 700 МР 77;Парк Север;Маршрут 1;сто;70;861230000000001;Europe/Moscow;с видео;низкопольный';
  await choose('wide.csv', content);
  await dialog().getByText('Ячейка D2').waitFor();
  const cut = await dialog().evaluate((element) => {
    const brush = new OffscreenCanvas(1, 1).getContext('2d');
    if (brush === null) return ['no canvas'];
    const headings = [...element.querySelectorAll('select')].map((one) => {
      brush.font = getComputedStyle(one).font;
      const text = one.selectedOptions[0]?.text ?? '';
      // Beside the text of a list is its arrow.
      return { text, isCut: brush.measureText(text).width + 20 > one.clientWidth };
    });
    const cells = [...element.querySelectorAll('tbody span, tbody small')].map((one) => ({
      text: one.textContent,
      isCut: one.scrollWidth > one.clientWidth,
    }));
    return [...headings, ...cells].filter(({ isCut }) => isCut).map(({ text }) => text);
  });
  expect(cut).toEqual([]);
});

it('a load is undone within a day; what is in use since says why not', async () => {
  await open('buses');
  await choose('new.csv', 'Номер;Клиент\nО 1;Парк Север\nО 2;Парк Север\n');
  await button('Загрузить 2 автобуса').click();
  await dialog().getByText('Готово. Добавлено: 2, изменено: 0.').waitFor();
  const undo = async () => {
    await page.getByRole('button', { name: 'Отменить загрузку', exact: true }).first().click();
    const sure = page.getByRole('dialog').last();
    await sure.getByRole('button', { name: 'Не отменять', exact: true }).waitFor();
    await sure.getByRole('button', { name: 'Отменить загрузку', exact: true }).click();
  };
  const { items } = await ask('GET', '/api/admin/buses?search=О 1');
  const url = `/api/admin/buses/${items[0]?.id}`;
  await ask('PUT', url, { description: 'мой' });
  await undo();
  await dialog().getByText('Отменить нельзя: О 1 — меняли после загрузки.').waitFor();
  await button('Закрыть').last().click();

  await choose('change.csv', 'Номер;Описание\nО 1;из таблицы\n');
  await button('Загрузить 1 автобус').click();
  await dialog().getByText('Готово. Добавлено: 0, изменено: 1.').waitFor();
  await undo();
  await dialog().waitFor({ state: 'detached' });
  const bus = (await ask('GET', url)) as unknown as { description: string };
  expect(bus.description).toBe('мой');
  await page.getByRole('button', { name: 'Загрузить из таблицы' }).click();
  await dialog()
    .getByRole('listitem')
    .filter({ hasText: 'change.csv' })
    .getByText('отменена')
    .waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
});

it('users of a table get links, which a file has once', async () => {
  await open('users');
  const rows = 'Логин;Роль;Клиент\nnovikova;клиент;Парк Север\nsmirnov;оператор;\n';
  await choose('users.csv', rows);
  await dialog().getByText('Ячейка C3: пусто, а значение нужно.').waitFor();
  await dialog().getByLabel('Ячейка C3: пусто, а значение нужно').fill('Парк Север');
  await page.keyboard.press('Enter');
  await button('Загрузить 2 пользователей').click();
  await dialog().getByText('Ссылки для паролей 2 пользователей, каждая действует сутки.').waitFor();
  const download = page.waitForEvent('download');
  await button('Скачать ссылки').click();
  const saved = await (await (await download).createReadStream()).toArray();
  const [link] = /http\S+?(?=;)/.exec(Buffer.concat(saved).toString()) ?? [];
  await button('Закрыть').last().click();
  await page.getByRole('row', { name: /novikova/ }).waitFor();
  await context.close();

  context = await openVisit(browser, product.url, {});
  page = await context.newPage();
  await page.goto(link ?? '');
  await page.getByText('novikova').waitFor();
});

it('a long number and an error in a table are named, and typed anew in the page', async () => {
  await open('buses');
  await choose('park.csv', 'Номер;Клиент;Прибор\n#ССЫЛКА!;Парк Север;8,61235E+22\n');
  await dialog().getByText('Ячейка A2: «#ССЫЛКА!» — в ячейке ошибка.').waitFor();
  await dialog().getByLabel('Ячейка A2: в ячейке ошибка').fill('811 МР');
  const device = dialog().getByLabel('Ячейка C2: число длиннее 15 цифр: храните его как текст');
  await device.fill('86123500000000000000000');
  await device.press('Enter');
  await dialog().getByText('1 добавится').waitFor();
});

/** A text in windows-1251, with Russian letters and № of all that is beyond ASCII. */
function windows1251(text: string): Buffer {
  const others: Readonly<Record<string, number>> = { Ё: 0xa8, ё: 0xb8, '№': 0xb9 };
  const codes = [...text].map((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return others[letter] ?? (code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code);
  });
  return Buffer.from(codes);
}

describe('a text', () => {
  it('with semicolons in windows-1251 is read, and a column that nothing guessed is chosen', async () => {
    await open('buses');
    await choose('park.csv', windows1251('Борт;Клиент\r\n"Парк; 7 МР";Парк Север\r\n'));
    await dialog().getByText('Не хватает столбца: «Название».').waitFor();
    await dialog().getByLabel('Что в столбце A').selectOption('name');
    await button('Загрузить 1 автобус').click();
    await dialog().getByText('Готово').waitFor();
    const { items } = await ask('GET', '/api/admin/buses?search=Парк;');
    expect(items.map(({ name }) => name)).toEqual(['Парк; 7 МР']);
  });

  it('with commas in windows-1251 keeps Ё, ё and №: loaded again, it is what is stored', async () => {
    const rows = ['"№ 1, Ёлкин",Парк Север,Остаётся', '"№ 2, орёл",Парк Север,'];
    const bytes = windows1251(['Номер,Клиент,Описание', ...rows, ''].join('\r\n'));
    await open('buses');
    await choose('park.csv', bytes);
    await dialog().getByText('2 добавятся').waitFor();
    expect(await dialog().getByText('с ошибкой').count()).toBe(0);
    await button('Загрузить 2 автобуса').click();
    await dialog().getByText('Готово. Добавлено: 2, изменено: 0.').waitFor();
    const { items } = await ask('GET', '/api/admin/buses?search=№');
    expect(items).toMatchObject([
      { name: '№ 1, Ёлкин', description: 'Остаётся' },
      { name: '№ 2, орёл', description: null },
    ]);
    await button('Закрыть').last().click();
    await choose('park.csv', bytes);
    await dialog().getByText('Таблица совпадает с тем, что есть: загружать нечего.').waitFor();
  });

  it.each([
    ['nothing.csv', '', 'В файле ничего нет.'],
    ['bus.png', '\0\0\0PNG', 'Это не таблица XLSX и не CSV'],
    ['broken.xlsx', 'PK\x03\x04 broken', 'Это не таблица XLSX и не CSV'],
    ['many.csv', `Номер\n${'7\n'.repeat(50_001)}`, 'В таблице больше 50 000 строк.'],
  ])('%s that cannot be read says why', async (name, content, problem) => {
    await open('buses');
    await choose(name, content);
    await dialog().getByText(problem).waitFor();
  });
});

it('an archive that unpacks to more than 64 MiB is not unpacked', async () => {
  await open('buses');
  const bomb = zipOf([{ name: 'xl/workbook.xml', bytes: 'x', claims: 65 * 1024 * 1024 }]);
  await choose('bomb.xlsx', bomb);
  await dialog().getByText('Файл слишком большой').waitFor();
});

describe('who loads tables', () => {
  it('an integrator has no customers to load, and no customer of others', async () => {
    await open('units', {}, 'integrator');
    await page.getByRole('button', { name: 'Загрузить из таблицы' }).waitFor();
    await page.goto('/admin/buses');
    await choose('park.csv', 'Номер,Клиент\nИ 1,Парк Север\n');
    await dialog().getByText('Ячейка B2: «Парк Север» — не найдено.').waitFor();
  });
});

it.each([
  ['on a desktop', {}],
  ['in the dark', { dark: true }],
  ['on a phone', { phone: true }],
])('the dialog has no faults that axe finds, %s', async (_, options) => {
  await open('buses', options);
  await choose('avtobusy.xlsx', await spreadsheet(bus('Н1'), bus('Н2', 'сто', 'м66')));
  await dialog().getByText('Ячейка D3').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
});
