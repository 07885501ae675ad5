import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readXlsx } from '../../test/read-xlsx.ts';
import type { Column, Row, Table } from './table.ts';
import { xlsxOf } from './xlsx.ts';

async function* lotsOf(...lots: readonly (readonly Row[])[]) {
  yield* lots;
}

const text: Column = { title: 'Автобус', type: 'text' };
const tableOf = (columns: readonly Column[], ...rows: readonly Row[]): Table => ({
  name: 'Отчёт',
  columns,
  lots: lotsOf(rows),
});

async function bytesOf(table: Table, mostRows?: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of xlsxOf(table, mostRows)) parts.push(part);
  return Buffer.concat(parts);
}

/** A file of the archive as text. It is found by its name; its packed bytes end where the data become invalid. */
function partOf(bytes: Buffer, name: string): string {
  const at = bytes.indexOf(name);
  return inflateRawSync(bytes.subarray(at + name.length)).toString();
}

describe('a spreadsheet', () => {
  it('opens in a reader with texts, numbers, amounts, days and times as they are', async () => {
    const columns: Column[] = [
      text,
      { title: 'Человек', type: 'integer' },
      { title: 'Наполнение', type: 'decimal' },
      { title: 'Зарплата, %', type: 'percent' },
      { title: 'Выручка', type: 'money' },
      { title: 'Дата', type: 'day' },
      { title: 'Прибытие', type: 'moment' },
      { title: 'Час', type: 'hour' },
    ];
    const wallMs = Date.parse('2026-11-20T08:15:30Z');
    const rows: Row[] = [
      ['Автобус «10» & <2>', 12, 7.5, 18.25, 123_456, '2026-11-20', wallMs, wallMs - 930_000],
      ['', -3, 0, 0, -5, '2024-02-29', null, null],
    ];
    const [sheet, ...more] = await readXlsx(await bytesOf(tableOf(columns, ...rows)));
    expect(more).toEqual([]);
    expect(sheet?.name).toBe('Отчёт');
    const [heading, first, second] = sheet?.rows ?? [];
    expect(heading).toEqual(columns.map(({ title }) => title));
    expect(first?.slice(0, 5)).toEqual(['Автобус «10» & <2>', 12, 7.5, 18.25, 1234.56]);
    expect(first?.slice(5, 7)).toEqual([
      new Date('2026-11-20T00:00:00Z'),
      new Date('2026-11-20T08:15:30Z'),
    ]);
    expect(second?.slice(1, 6)).toEqual([-3, 0, 0, -0.05, new Date('2024-02-29T00:00:00Z')]);
    expect(second?.slice(6)).toEqual([null, null]);
  });

  it('has every text of a cell back, whatever it holds', async () => {
    const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 20 }), async (all) => {
        const bytes = await bytesOf(tableOf([text], ...all.map((one) => [one])));
        const sheet = partOf(bytes, 'xl/worksheets/sheet1.xml');
        const cells = [...sheet.matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(([, inner = '']) =>
          inner
            .replaceAll('&lt;', '<')
            .replaceAll('&gt;', '>')
            .replaceAll('&amp;', '&')
            .replace(/_x([\dA-F]{4})_/g, (_, code) =>
              String.fromCharCode(Number.parseInt(code, 16)),
            ),
        );
        expect(cells).toEqual(['Автобус', ...all.map((one) => one.toWellFormed())]);
        expect(sheet).not.toMatch(/[^\P{Cc}\t\n]|[\ufffe\uffff]/u);
      }),
      { numRuns: 30 },
    );
  });

  it.each(['=1+1', '+7 900', '-5', '@SUM(A1)'])(
    'holds %s as text, also after somebody edited the cell',
    async (formula) => {
      const bytes = await bytesOf(tableOf([text], [formula]));
      const [sheet] = await readXlsx(bytes);
      expect(sheet?.rows[1]).toEqual([formula]);
      const xml = partOf(bytes, 'xl/worksheets/sheet1.xml');
      expect(xml).not.toContain('<f>');
      expect(xml).toContain(`<c r="A2" s="2" t="inlineStr"><is><t>${formula}</t>`);
      expect(partOf(bytes, 'xl/styles.xml')).toContain('quotePrefix="1"');
    },
  );

  it('goes on with further sheets where one is full, each with the headings', async () => {
    const rows = Array.from({ length: 7 }, (_, n): Row => [`${n}`]);
    const sheets = await readXlsx(await bytesOf(tableOf([text], ...rows), 4));
    expect(sheets).toEqual([
      { name: 'Отчёт', rows: [['Автобус'], ['0'], ['1'], ['2']] },
      { name: 'Отчёт 2', rows: [['Автобус'], ['3'], ['4'], ['5']] },
      { name: 'Отчёт 3', rows: [['Автобус'], ['6']] },
    ]);
    expect(await readXlsx(await bytesOf(tableOf([text], ...rows.slice(0, 3)), 4))).toHaveLength(1);
  });

  it('without rows has its headings', async () => {
    expect(await readXlsx(await bytesOf(tableOf([text])))).toEqual([
      { name: 'Отчёт', rows: [['Автобус']] },
    ]);
  });

  it('keeps its headings in view, and has columns as wide as their values', async () => {
    const columns: Column[] = [text, { title: 'Дата', type: 'day' }, { ...text, width: 40 }];
    const xml = partOf(await bytesOf(tableOf(columns)), 'xl/worksheets/sheet1.xml');
    expect(xml).toContain(
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    );
    expect(
      [...xml.matchAll(/<col min="\d" max="\d" width="(\d+)"/g)].map(([, width]) => width),
    ).toEqual(['24', '12', '40']);
  });

  it('of the same rows is the same bytes', async () => {
    const of = () => bytesOf(tableOf([text], ['Автобус 1']));
    expect(await of()).toEqual(await of());
  });
});

/** Text that packing does not make shorter. */
const noise = (): string => Array.from({ length: 200 }, () => Math.random().toString(36)).join(' ');

describe('a spreadsheet that is being written', () => {
  it('reads no further than its reader', async () => {
    let read = 0;
    async function* rows() {
      for (; read < 10_000; read += 1) yield [[noise()]];
    }
    const file = xlsxOf({ name: 'a', columns: [text], lots: rows() });
    let bytes = 0;
    while (bytes < 100_000) bytes += (await file.next()).value?.length ?? 0;
    // A lot has 2 kB packed; some are in the buffers of the packer.
    expect(read).toBeLessThan(500);
    await file.return(undefined);
  });

  it('ends its rows when the reader leaves', async () => {
    let hasEnded = false;
    async function* rows() {
      try {
        for (;;) yield [[noise()]];
      } finally {
        hasEnded = true;
      }
    }
    const file = xlsxOf({ name: 'a', columns: [text], lots: rows() });
    for (let n = 0; n < 6; n += 1) await file.next();
    await file.return(undefined);
    expect(hasEnded).toBe(true);
  });

  it('fails with its rows', async () => {
    async function* rows() {
      yield [['Автобус 1']];
      throw new Error('The database is away.');
    }
    const file = bytesOf({ name: 'a', columns: [text], lots: rows() });
    await expect(file).rejects.toThrow('The database is away.');
  });
});
