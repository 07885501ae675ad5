// @vitest-environment node
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readCells } from './read-cells.ts';

/** A spreadsheet with these cells below the heading `Device`. */
function spreadsheet(...cells: string[]): ArrayBuffer {
  const rows = [`<c r="A1" t="inlineStr"><is><t>Device</t></is></c>`, ...cells];
  return packed(rows.map((cell, at) => `<row r="${at + 1}">${cell}</row>`).join(''));
}
/** A spreadsheet of these rows; cells of the style 1 have the form of days. */
function packed(
  sheetData: string,
  { properties = '', sheet = 'worksheets/sheet1.xml' } = {},
): ArrayBuffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const files = {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}">${properties}<sheets><sheet name="Fleet" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="${sheet}"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    [`xl/${sheet}`]: `<worksheet xmlns="${main}"><sheetData>${sheetData}</sheetData></worksheet>`,
  };
  const entries = Object.entries(files).map(([name, xml]) => [name, strToU8(xml)] as const);
  return zipSync(Object.fromEntries(entries)).buffer;
}
const firstOf = async (bytes: ArrayBuffer) => (await readCells(bytes)).rows[0]?.[0];

describe('a cell of a spreadsheet', () => {
  it.each([
    ['an error', '<c r="A2" t="e"><f>B9</f><v>#REF!</v></c>', '#REF!', 'error'],
    ['a formula without a value', '<c r="A2"><f>B2&amp;"7"</f><v></v></c>', '=B2&"7"', 'formula'],
    ['a text formula without one', '<c r="A2" t="str"><f>B2</f></c>', '=B2', 'formula'],
    ['a rounded number', '<c r="A2"><v>8.6e+22</v></c>', '8.6e+22', 'digits'],
    ['16 digits', '<c r="A2"><v>1234567890123450</v></c>', '1234567890123450', 'digits'],
    ['an unknown type', '<c r="A2" t="money"><v>7</v></c>', '7', 'kind'],
    ['no number', '<c r="A2"><v>seven</v></c>', 'seven', 'kind'],
  ])('with %s says so instead of being empty', async (_, cell, value, unread) => {
    expect(await firstOf(spreadsheet(cell))).toEqual({ value, unread });
  });

  it.each([
    ['a number of 15 digits', '<c r="A2"><v>861234567890123</v></c>', '861234567890123'],
    ['a number as editors store it', '<c r="A2"><v>1.1000000000000001</v></c>', '1.1'],
    ['a formula with a value', '<c r="A2" t="str"><f>B2</f><v>RW-7</v></c>', 'RW-7'],
    ['a text of digits', '<c r="A2" t="inlineStr"><is><t>0861234567890123456</t></is></c>'],
  ])('with %s is its text', async (_, cell, text = '0861234567890123456') => {
    expect(await firstOf(spreadsheet(cell))).toBe(text);
  });

  it('with a formula whose text is empty is empty', async () => {
    const bytes = spreadsheet('<c r="A2" t="str"><f>B2</f><v></v></c>', '<c r="A3"><v>1</v></c>');
    expect((await readCells(bytes)).rows).toEqual([[], ['1']]);
  });

  it.each([
    ['46000', '2025-12-09'],
    ['2958465', '9999-12-31'],
    ['2958466', '2958466'],
    ['99999999', '99999999'],
    ['861234567890123', '861234567890123'],
    ['-1', '-1'],
  ])('with the form of days and %s is %s', async (value, text) => {
    expect(await firstOf(spreadsheet(`<c r="A2" s="1"><v>${value}</v></c>`))).toBe(text);
    expect(await firstOf(spreadsheet(`<c r='A2' s='1' t='n'><v>${value}</v></c>`))).toBe(text);
  });

  it.each([
    ['0', '1904-01-01'],
    ['44538', '2025-12-09'],
    ['2957003', '9999-12-31'],
    ['2957004', '2957004'],
    ['2958465', '2958465'],
  ])('with the form of days and %s is %s where days begin in 1904', async (value, text) => {
    for (const said of ['"1"', "'true'"]) {
      const rows = `<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2" s="1"><v>${value}</v></c></row>`;
      const bytes = packed(rows, {
        properties: `<workbookPr codeName="x" date1904=${said}/>`,
      });
      expect(await firstOf(bytes)).toBe(text);
    }
  });

  it('with a day of a later year than 9999 is that day', async () => {
    const cell = '<c r="A2" t="d"><v>+010000-01-02T00:00:00Z</v></c>';
    expect(await firstOf(spreadsheet(cell))).toBe('+010000-01-02');
  });

  it('without an address follows the one before it', async () => {
    const text = (said: string) => `<c t="inlineStr"><is><t>${said}</t></is></c>`;
    const rows = [
      `<row>${text('Device')}${text('Bus')}${text('Note')}</row>`,
      `<row r="3">${text('RW-7')}<c/><c t='e'><v>#REF!</v></c></row>`,
      `<row><c r="B5"><v>7</v></c><c><v>8</v></c></row>`,
    ];
    expect(await readCells(packed(rows.join('')))).toMatchObject({
      names: ['Device', 'Bus', 'Note'],
      rows: [[], ['RW-7', '', { value: '#REF!', unread: 'error' }], [], ['', '7', '8']],
    });
  });

  it('that makes the whole file unreadable is named', async () => {
    const read = readCells(spreadsheet('<c r="A2" t="b"><v>7</v></c>'));
    await expect(read).rejects.toMatchObject({ why: { problem: 'cell', at: 'A2' } });
  });
});

describe('a spreadsheet', () => {
  const rows = (last: string) =>
    packed(`<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>${last}`);

  it.each(['<row r="99999999999"/>', `<row r='1048577'></row>`])(
    'with %s is refused, as it has too many rows',
    async (last) => {
      await expect(readCells(rows(last))).rejects.toMatchObject({ why: { problem: 'rows' } });
    },
  );

  it('is looked at wherever its sheet is', async () => {
    const bytes = packed('<row r="99999999999"/>', { sheet: 'sheet.xml' });
    await expect(readCells(bytes)).rejects.toMatchObject({ why: { problem: 'rows' } });
  });

  it('is read though its very last row has a height of its own', async () => {
    expect((await readCells(rows('<row r="1048576" ht="20"/>'))).rows).toEqual([['2']]);
  });
});

describe('a cell of a text', () => {
  it.each([
    ['#ССЫЛКА!', 'error'],
    ['#N/A', 'error'],
    ['8,61235E+22', 'digits'],
  ])('%s is what a spreadsheet has lost', async (value, unread) => {
    const { buffer } = strToU8(`Device;Bus\n${value};7\n`);
    expect(await firstOf(buffer as ArrayBuffer)).toEqual({ value, unread });
  });
});

/** The code of a letter in windows-1251, as far as this test needs it. */
const codeOf = (letter: string): number => {
  const code = letter.codePointAt(0) ?? 0;
  const others: Readonly<Record<string, number>> = { Ё: 0xa8, ё: 0xb8, '№': 0xb9 };
  return others[letter] ?? (code >= 0x410 ? code - 0x410 + 0xc0 : code);
};

describe('a text of an old spreadsheet', () => {
  it.each([',', ';', '\t'])('in windows-1251 with %j keeps Ё, ё and №', async (mark) => {
    const cells = ['Орёл № 7', `ООО "Ёлка${mark} сын"`];
    const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`);
    const text = `№${mark}Клиент\r\n${quoted.join(mark)}\r\n`;
    const bytes = new Uint8Array([...text].map(codeOf));
    expect(await readCells(bytes.buffer)).toMatchObject({
      names: ['№', 'Клиент'],
      rows: [cells],
    });
  });
});

describe('a table', () => {
  const textOf = (rows: number, ...cells: string[]) =>
    strToU8(`Bus;Note\n${`${cells.join(';')}\n`.repeat(rows)}`).buffer as ArrayBuffer;

  it('of 50,000 rows is read, and one of more is not', async () => {
    expect((await readCells(textOf(50_000, 'А 1'))).rows).toHaveLength(50_000);
    await expect(readCells(textOf(50_001, 'А 1'))).rejects.toMatchObject({
      why: { problem: 'rows' },
    });
  });

  it('whose headings stand below the first 1,000 rows is refused with this reason', async () => {
    const rows = (from: number) =>
      packed(
        `<row r="${from}"><c r="A${from}"><v>1</v></c></row><row r="${from + 1}"><c r="A${from + 1}"><v>2</v></c></row>`,
      );
    expect((await readCells(rows(1_000))).heading).toBe(1_000);
    await expect(readCells(rows(1_001))).rejects.toMatchObject({ why: { problem: 'heading' } });
  });

  it('that a request cannot hold is too large', async () => {
    const cells = Array.from({ length: 20 }, () => 'я'.repeat(300));
    await expect(readCells(textOf(2_100, ...cells))).rejects.toMatchObject({
      why: { problem: 'large' },
    });
  });
});
