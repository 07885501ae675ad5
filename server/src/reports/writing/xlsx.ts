// A spreadsheet as a stream, in bounded memory (Office Open XML: ECMA-376; ZIP: PKWARE APPNOTE 6.3.10). Sheets are
// packed while they are written, so their sizes and checksums follow their bytes (APPNOTE, 4.3.9). Strings stand in
// their cells: a table of shared ones would have to stay in memory.
import { pipeline } from 'node:stream';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { roublesOf } from '@ridewatch/contract/money';
import { type Cell, type CellType, numberOf, type Row, type Table, textOf } from './table.ts';

/** Most rows of a sheet, the headings included (Excel's limit); further rows come on a further sheet. */
const MOST_SHEET_ROWS = 1_048_576;
/** Level of the packing: 1 takes half the time of the default 6 for a quarter more bytes. */
const LEVEL = 1;
const PACKED_CHUNK_BYTES = 64 * 1024;
/** Letters that are packed at once: long texts live long enough to fill the memory. */
const PART_LETTERS = 16 * 1024;
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
): AsyncGenerator<string> {
  const letters = columns.map((_, at) => lettersOf(at));
  const cols = columns.map(({ type, width = widths[type] }, at) => {
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
  });
  const titles = columns.map(({ title }, at) => textCell(`${letters[at]}1`, title, styles.heading));
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols.join('')}</cols><sheetData><row r="1">${titles.join('')}</row>`;
  const writers = columns.map(({ type }) => createWriter[type]());
  let number = 2;
  while (number <= mostRows) {
    const lot = await rows.take(mostRows - number + 1);
    if (lot.length === 0) break;
    let text = '';
    for (const row of lot) {
      text += `<row r="${number}">`;
      for (const [at, write] of writers.entries()) {
        const cell = row[at] ?? null;
        if (cell !== null) text += write(`${letters[at]}${number}`, cell);
      }
      text += '</row>';
      number += 1;
      if (text.length > PART_LETTERS) {
        yield text;
        text = '';
      }
    }
    yield text;
  }
  yield '</sheetData></worksheet>';
}

const numbers = (style: number) => () => (at: string, cell: Cell) =>
  `<c r="${at}" s="${style}"><v>${numberOf(cell)}</v></c>`;
/** Days from 1899-12-30, day 0 of spreadsheets, to 1970-01-01. */
const DAY_OF_1970 = 25_569;
const DAY_MS = 86_400_000;

/** Makes the function that writes the cells of a column: it may remember the last one. */
const createWriter: Readonly<Record<CellType, () => (at: string, cell: Cell) => string>> = {
  text: () => (at, cell) => {
    const text = textOf(cell);
    // A cell with a formula's sign becomes a formula when somebody edits it, unless it is quoted.
    return textCell(at, text, /^[=+\-@]/.test(text) ? styles.quoted : undefined);
  },
  integer: numbers(styles.integer),
  decimal: numbers(styles.decimal),
  percent: numbers(styles.decimal),
  // Digits are taken as they are: no float comes near an amount.
  money: () => (at, cell) =>
    `<c r="${at}" s="${styles.money}"><v>${roublesOf(numberOf(cell))}</v></c>`,
  day: () => {
    let last: { day: Cell; serial: number } | undefined;
    return (at, day) => {
      if (last?.day !== day) last = { day, serial: Date.parse(textOf(day)) / DAY_MS + DAY_OF_1970 };
      return `<c r="${at}" s="${styles.day}"><v>${last.serial}</v></c>`;
    };
  },
  moment: () => (at, cell) =>
    `<c r="${at}" s="${styles.moment}"><v>${numberOf(cell) / DAY_MS + DAY_OF_1970}</v></c>`,
  hour: () => (at, cell) =>
    `<c r="${at}" s="${styles.hour}"><v>${(numberOf(cell) % DAY_MS) / DAY_MS}</v></c>`,
};

function textCell(at: string, text: string, style?: number): string {
  const space = /^\s|\s$/.test(text) ? ' xml:space="preserve"' : '';
  const format = style === undefined ? '' : ` s="${style}"`;
  return `<c r="${at}"${format} t="inlineStr"><is><t${space}>${escaped(text)}</t></is></c>`;
}

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

/** Writes the bytes of an archive in order. */
function createZip() {
  const directory: Buffer[] = [];
  let offset = 0;
  const counted = (bytes: Buffer): Buffer => {
    offset += bytes.length;
    return bytes;
  };
  const list = (name: Buffer, sums: Sums, flags: number, at: number): void => {
    directory.push(
      record('directory', [20, 20, flags, 8, 0, DATE], sums, [name.length, 0, 0, 0, 0], [0, at]),
      name,
    );
  };
  return {
    /** A whole file. */
    add: (path: string, text: string): Buffer => {
      const [name, bytes] = [Buffer.from(path), Buffer.from(text)];
      const packed = deflateRawSync(bytes);
      const sums = { crc: crc32(bytes), packed: packed.length, size: bytes.length };
      list(name, sums, UTF8, offset);
      const head = record('file', [20, UTF8, 8, 0, DATE], sums, [name.length, 0]);
      return counted(Buffer.concat([head, name, packed]));
    },
    /** A file whose text becomes known as it is written. */
    stream: async function* (path: string, text: AsyncIterable<string>): AsyncGenerator<Buffer> {
      const name = Buffer.from(path);
      const [at, flags] = [offset, UTF8 | SUMS_FOLLOW];
      const sums = { crc: 0, packed: 0, size: 0 };
      const head = record('file', [20, flags, 8, 0, DATE], sums, [name.length, 0]);
      yield counted(Buffer.concat([head, name]));
      const measured = async function* (): AsyncGenerator<Buffer> {
        for await (const part of text) {
          const bytes = Buffer.from(part);
          sums.crc = crc32(bytes, sums.crc);
          sums.size += bytes.length;
          yield bytes;
        }
      };
      const deflate = createDeflateRaw({ level: LEVEL, chunkSize: PACKED_CHUNK_BYTES });
      // A failure ends the loop below with its error.
      for await (const chunk of pipeline(measured(), deflate, () => undefined)) {
        sums.packed += (chunk as Buffer).length;
        yield counted(chunk as Buffer);
      }
      yield counted(record('sums', [], sums));
      list(name, sums, flags, at);
    },
    /** The directory. */
    end: (): Buffer => {
      const bytes = Buffer.concat(directory);
      const files = directory.length / 2;
      return Buffer.concat([
        bytes,
        record('end', [0, 0, files, files], undefined, [], [bytes.length, offset]),
        Buffer.alloc(2),
      ]);
    },
  };
}

interface Sums {
  crc: number;
  packed: number;
  size: number;
}

/** Bits of a file's flags: its sums follow its bytes; its name is UTF-8. */
const [SUMS_FOLLOW, UTF8] = [0x0008, 0x0800];
/** 1 January 1980, the first day of the format: files of the same rows are the same bytes. */
const DATE = 0x0021;
const signatures = { file: 0x04034b50, sums: 0x08074b50, directory: 0x02014b50, end: 0x06054b50 };

// Numbers of 16 bits, the sums, more of 16 bits, and numbers of 32 bits. A file of 4 GiB throws: rows are limited.
function record(
  kind: keyof typeof signatures,
  before: readonly number[],
  sums?: Sums,
  after: readonly number[] = [],
  places: readonly number[] = [],
): Buffer {
  const sized = sums === undefined ? [] : [sums.crc, sums.packed, sums.size];
  const bytes = Buffer.alloc(
    4 + 2 * (before.length + after.length) + 4 * (sized.length + places.length),
  );
  let at = bytes.writeUInt32LE(signatures[kind]);
  for (const value of before) at = bytes.writeUInt16LE(value, at);
  for (const value of sized) at = bytes.writeUInt32LE(value, at);
  for (const value of after) at = bytes.writeUInt16LE(value, at);
  for (const value of places) at = bytes.writeUInt32LE(value, at);
  return bytes;
}
