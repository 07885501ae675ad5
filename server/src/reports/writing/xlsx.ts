// A spreadsheet as a stream, in bounded memory (Office Open XML: ECMA-376). Strings stand in their cells: a table of
// shared ones would have to stay in memory. Cells are written as bytes: as texts a row would leave ten times the garbage,
// and what of it survives fills the memory.
import { roublesOf } from '@ridewatch/contract/money';
import { type Cell, type CellType, numberOf, type Row, type Table, textOf } from './table.ts';
import { createZip } from './zip.ts';

/** Most rows of a sheet, the headings included (Excel's limit); further rows come on a further sheet. */
const MOST_SHEET_ROWS = 1_048_576;
/** A row that is longer gets a longer part. */
const PART_BYTES = 32 * 1024;
/** Room for the longest number behind any other bytes. */
const SPARE_BYTES = 64;
/** Most texts of a column that are remembered as bytes. */
const MOST_TEXTS = 500;
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The place of each format in `STYLES`. */
const styles = {
  heading: 1,
  quoted: 2,
  integer: 3,
  decimal: 4,
  money: 5,
  day: 6,
  moment: 7,
  hour: 8,
};
/** Width of a column in characters by its type. */
const widths: Readonly<Record<CellType, number>> = {
  ...{ text: 24, integer: 11, decimal: 11, percent: 11, money: 14, day: 12, moment: 20, hour: 9 },
};

/**
 * Writes a table as XLSX. The first row of each sheet holds the headings and stays in view.
 * @param mostRows of a sheet, the headings included
 */
export async function* xlsxOf(table: Table, mostRows = MOST_SHEET_ROWS): AsyncGenerator<Buffer> {
  const zip = createZip();
  // Sheets are the default, so that their number need not be known yet.
  yield zip.add(
    '[Content_Types].xml',
    `${HEAD}<Types xmlns="${PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="${TYPE}.worksheet+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>
<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  );
  yield zip.add('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]));
  yield zip.add('xl/styles.xml', STYLES);
  const rows = createRows(table);
  let sheets = 0;
  try {
    do {
      sheets += 1;
      yield* zip.stream(`xl/worksheets/sheet${sheets}.xml`, sheetOf(table, rows, mostRows));
    } while (await rows.areLeft());
  } finally {
    await rows.end();
  }
  const names = Array.from({ length: sheets }, (_, n) => (n === 0 ? '' : ` ${n + 1}`));
  yield zip.add('xl/workbook.xml', workbookOf(names.map((end) => sheetName(table.name, end))));
  const places = names.map((_, n): [string, string] => [
    'worksheet',
    `worksheets/sheet${n + 1}.xml`,
  ]);
  yield zip.add('xl/_rels/workbook.xml.rels', relations([...places, ['styles', 'styles.xml']]));
  yield zip.end();
}

/** The rows of a table, taken in parts. */
function createRows({ lots }: Table) {
  const source = lots[Symbol.asyncIterator]();
  let lot: readonly Row[] = [];
  const areLeft = async (): Promise<boolean> => {
    while (lot.length === 0) {
      const next = await source.next();
      if (next.done === true) return false;
      lot = next.value;
    }
    return true;
  };
  return {
    areLeft,
    /** The next rows, at most so many; none at the end. */
    take: async (most: number): Promise<readonly Row[]> => {
      if (!(await areLeft())) return [];
      const taken = lot.slice(0, most);
      lot = lot.slice(taken.length);
      return taken;
    },
    /** Ends the source, also when nobody reads the file any more. */
    end: async (): Promise<void> => void (await source.return?.()),
  };
}

async function* sheetOf(
  { columns }: Table,
  rows: ReturnType<typeof createRows>,
  mostRows: number,
): AsyncGenerator<Buffer> {
  const letters = columns.map((_, at) => lettersOf(at));
  const cols = columns.map(({ type, width = widths[type] }, at) => {
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
  });
  const page = createPage();
  page.put(
    Buffer.from(
      `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols.join('')}</cols><sheetData>`,
    ),
  );
  const headings = columns.map((_, at) => createText(letters[at] ?? '', styles.heading));
  const titles = columns.map(({ title }) => title);
  putRow(page, headings, titles, 1);
  const writers = columns.map(({ type }, at) => createWriter[type](letters[at] ?? ''));
  let number = 2;
  while (number <= mostRows) {
    const lot = await rows.take(mostRows - number + 1);
    if (lot.length === 0) break;
    for (const row of lot) {
      putRow(page, writers, row, number);
      number += 1;
      if (page.isFull()) yield page.take();
    }
  }
  page.put(Buffer.from('</sheetData></worksheet>'));
  yield page.take();
}

/** Writes the cell of a column. @param row its number, in digits */
type CellWriter = (page: Page, cell: Cell, row: Buffer) => void;

const ROW = Buffer.from('<row r="');
const ROW_HEAD_END = Buffer.from('">');
const ROW_END = Buffer.from('</row>');

function putRow(page: Page, writers: readonly CellWriter[], row: Row, number: number): void {
  const digits = Buffer.from(String(number));
  page.put(ROW);
  page.put(digits);
  page.put(ROW_HEAD_END);
  for (let at = 0; at < writers.length; at += 1) {
    const cell = row[at] ?? null;
    if (cell !== null) writers[at]?.(page, cell, digits);
  }
  page.put(ROW_END);
}

/** Bytes that are collected to be packed at once. */
function createPage() {
  let bytes = Buffer.allocUnsafeSlow(2 * PART_BYTES);
  let at = 0;
  return {
    put: (piece: Uint8Array): void => {
      if (at + piece.length + SPARE_BYTES > bytes.length) {
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.alloc(PART_BYTES + piece.length)]);
      }
      // For the few bytes of a piece a loop is faster than a call.
      for (let n = 0; n < piece.length; n += 1) bytes[at + n] = piece[n] ?? 0;
      at += piece.length;
    },
    /** A number in digits: a text of few ASCII characters. */
    putDigits: (text: string): void => {
      for (let n = 0; n < text.length; n += 1) bytes[at + n] = text.charCodeAt(n);
      at += text.length;
    },
    isFull: (): boolean => at >= PART_BYTES,
    take: (): Buffer => {
      const taken = bytes.subarray(0, at);
      bytes = Buffer.allocUnsafeSlow(2 * PART_BYTES);
      at = 0;
      return taken;
    },
  };
}

type Page = ReturnType<typeof createPage>;

const VALUE_END = Buffer.from('</v></c>');

function createNumber(
  column: string,
  style: number,
  digitsOf: (cell: Cell) => string = (cell) => String(numberOf(cell)),
): CellWriter {
  const [head, value] = [Buffer.from(`<c r="${column}`), Buffer.from(`" s="${style}"><v>`)];
  return (page, cell, row) => {
    page.put(head);
    page.put(row);
    page.put(value);
    page.putDigits(digitsOf(cell));
    page.put(VALUE_END);
  };
}

// The same buses, routes and words come again and again.
function createText(column: string, ownStyle?: number): CellWriter {
  const head = Buffer.from(`<c r="${column}`);
  const known = new Map<string, Buffer>();
  return (page, cell, row) => {
    const text = textOf(cell);
    let rest = known.get(text);
    if (rest === undefined) {
      // A cell with a formula's sign becomes a formula when somebody edits it, unless it is quoted.
      const style = ownStyle ?? (/^[=+\-@]/.test(text) ? styles.quoted : undefined);
      const space = /^\s|\s$/.test(text) ? ' xml:space="preserve"' : '';
      const format = style === undefined ? '' : ` s="${style}"`;
      rest = Buffer.from(`"${format} t="inlineStr"><is><t${space}>${escaped(text)}</t></is></c>`);
      if (known.size >= MOST_TEXTS) known.clear();
      known.set(text, rest);
    }
    page.put(head);
    page.put(row);
    page.put(rest);
  };
}

/** Days from 1899-12-30, day 0 of spreadsheets, to 1970-01-01. */
const DAY_OF_1970 = 25_569;
const DAY_MS = 86_400_000;

/** Makes what writes the cells of a column. */
const createWriter: Readonly<Record<CellType, (column: string) => CellWriter>> = {
  text: (column) => createText(column),
  integer: (column) => createNumber(column, styles.integer),
  decimal: (column) => createNumber(column, styles.decimal),
  percent: (column) => createNumber(column, styles.decimal),
  // Digits are taken as they are: no float comes near an amount.
  money: (column) => createNumber(column, styles.money, (cell) => roublesOf(numberOf(cell))),
  day: (column) =>
    createNumber(column, styles.day, (cell) => {
      return String(Date.parse(textOf(cell)) / DAY_MS + DAY_OF_1970);
    }),
  moment: (column) =>
    createNumber(column, styles.moment, (cell) => String(numberOf(cell) / DAY_MS + DAY_OF_1970)),
  hour: (column) =>
    createNumber(column, styles.hour, (cell) => String((numberOf(cell) % DAY_MS) / DAY_MS)),
};

// Characters that XML lacks are written as `_xHHHH_` (ECMA-376, 22.9.2.19), and so is the sign that begins such text.
function escaped(text: string): string {
  // Most texts need nothing.
  if (!/[&<>\p{Cc}\p{Cs}\ufffe\uffff]|_x/u.test(text)) return text;
  return text
    .toWellFormed()
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[^\P{Cc}\t\n]|[\ufffe\uffff]/gu, (sign) => {
      return `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
    })
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** The letters of a column from 0: A, B, .. Z, AA. */
function lettersOf(at: number): string {
  const rest = at < 26 ? '' : lettersOf(Math.floor(at / 26) - 1);
  return `${rest}${String.fromCharCode(65 + (at % 26))}`;
}

// At most 31 characters, without some signs (Excel's limits).
function sheetName(name: string, end: string): string {
  return `${name.replaceAll(/[[\]:*?/\\']/g, ' ').slice(0, 31 - end.length)}${end}`;
}

function workbookOf(names: readonly string[]): string {
  const sheets = names.map(
    (name, n) => `<sheet name="${escaped(name)}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`,
  );
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join('')}</sheets></workbook>`;
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const all = targets.map(
    ([type, target], n) =>
      `<Relationship Id="rId${n + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
}

const plain = (format: number): string =>
  `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;
// Formats below 164 are built in (ECMA-376, 18.8.30): 3 #,##0; 4 #,##0.00; 20 h:mm; 49 text.
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}">
<numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.0#"/><numFmt numFmtId="165" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="166" formatCode="dd\\.mm\\.yyyy\\ hh:mm:ss"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="9"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/>
${[3, 164, 4, 165, 166, 20].map(plain).join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
