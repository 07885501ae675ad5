import { BYTE_ORDER_MARK, type CsvForm, quoted, textCell } from '@ridewatch/contract/csv-text';
import { roublesOf } from '@ridewatch/contract/money';
import { type Cell, type CellType, numberOf, type Row, type Table, textOf } from './table.ts';

/** Letters that are written at once: long texts live long enough to fill the memory. */
const PART_LETTERS = 16 * 1024;

type Writer = (cell: Cell) => string;

/** Writes a table as CSV, a lot of rows at a time. */
export async function* csvOf({ columns, lots }: Table, form: CsvForm): AsyncGenerator<string> {
  const { separator } = form;
  yield `${BYTE_ORDER_MARK}${columns.map(({ title }) => quoted(title)).join(separator)}\r\n`;
  const writerOf = writersOf(form);
  const writers = columns.map(({ type }) => writerOf[type]);
  for await (const rows of lots) {
    let text = '';
    for (const row of rows) {
      text += lineOf(row, writers, separator);
      if (text.length < PART_LETTERS) continue;
      yield text;
      text = '';
    }
    yield text;
  }
}

function lineOf(row: Row, writers: readonly Writer[], separator: string): string {
  let line = '';
  for (let at = 0; at < writers.length; at += 1) {
    if (at > 0) line += separator;
    const cell = row[at] ?? null;
    if (cell !== null) line += writers[at]?.(cell) ?? '';
  }
  return `${line}\r\n`;
}

const wallTime = (cell: Cell): string => new Date(numberOf(cell)).toISOString().replace('T', ' ');

function writersOf({ point }: CsvForm): Readonly<Record<CellType, Writer>> {
  const written = (number: string): string => (point === '.' ? number : number.replace('.', point));
  const plainNumber = (cell: Cell): string => written(String(numberOf(cell)));
  return {
    text: (cell) => textCell(textOf(cell)),
    integer: plainNumber,
    decimal: plainNumber,
    percent: plainNumber,
    money: (cell) => written(roublesOf(numberOf(cell))),
    day: textOf,
    moment: (cell) => wallTime(cell).replace(/(?:\.000)?Z$/, ''),
    hour: (cell) => wallTime(cell).slice(11, 16),
  };
}
