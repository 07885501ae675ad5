import {
  type ImportCell,
  type ImportFault,
  type ImportReason,
  textOfCell,
} from '@ridewatch/contract/admin-import';
import { unguarded } from '@ridewatch/contract/csv-text';
import { HAS_INVISIBLE, hasInvisible } from '@ridewatch/contract/primitives';
import type { ReportLanguage } from '@ridewatch/contract/reports';
import * as z from 'zod/mini';
import { type Choice, wordsIn } from './words.ts';

/** A table as requests have it. */
export interface Table {
  /** The row of the headings in the sheet, from 1. */
  readonly heading: number;
  readonly columns: readonly (string | null)[];
  readonly rows: readonly (readonly ImportCell[])[];
}

/** The values that are allowed instead. */
interface Allowed {
  readonly least?: number;
  readonly most?: number;
  readonly words?: readonly string[];
}

/** Something that a cell names, that does not exist, and that a table creates besides the objects of its rows. */
interface Addition {
  readonly column: string;
  /** The same for all cells that name one thing; null while nobody knows whether they do. */
  readonly key: string | null;
}

/** Reads the cells of one row by the names of their columns, and notes what is wrong with them. */
export interface RowReader {
  /** From 0. */
  readonly row: number;
  /** The name of a column's cell in the sheet: `D4`. */
  readonly cellOf: (column: string) => string;
  /**
   * Without spaces around it; empty where the table has no such column. A description of several lines is one line: no
   * field takes several, and spreadsheets make them.
   */
  readonly text: (column: string) => string;
  /** A whole number; null for an empty cell, and for one with a fault. */
  readonly whole: (column: string, least: number, most: number) => number | null;
  /** The meaning of a word, in any case; undefined for an empty cell, and for one with a fault. */
  readonly choice: <T>(column: string, choice: Choice<T>) => T | undefined;
  /** Notes a fault of a cell. A column that the table lacks has it in the first cell of the row. */
  readonly refuse: (column: string, reason: ImportReason, allowed?: Allowed) => void;
  readonly isFaulty: () => boolean;
  /** Notes the empty cells of columns that a new object needs, and the columns that the table lacks. */
  readonly need: (columns: readonly string[]) => void;
  readonly faults: readonly ImportFault[];
  /** Notes an addition, unless its cell has a fault. */
  readonly add: (addition: Addition) => void;
  readonly additions: readonly Addition[];
}

const A = 65;
const LETTERS = 26;

/** The name of a column in spreadsheets, from 0: A to Z, then AA. */
export function letterOf(column: number): string {
  const last = String.fromCharCode(A + (column % LETTERS));
  return column < LETTERS ? last : `${letterOf(Math.floor(column / LETTERS) - 1)}${last}`;
}

/** The text of a cell as it is typed: without the apostrophe that keeps it a text, and spaces around it. */
export const typedText = (text: string): string => unguarded(text).trim();

/** A text of several lines in one, with a space for each line break. */
export const oneLine = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .join(' ')
    .trim();

/** Whether all cells of a row are blank. */
export function isBlank(cells: readonly ImportCell[]): boolean {
  return cells.every((cell) => textOfCell(cell).trim() === '');
}

/**
 * A reader of a row; cells that the file does not tell are faults already.
 * @param row from 0
 * @param language of the words that are allowed instead
 */
export function readRow(
  { heading, columns, rows }: Table,
  row: number,
  language: ReportLanguage,
): RowReader {
  const faults: ImportFault[] = [];
  const additions: Addition[] = [];
  const cells = rows[row] ?? [];
  const at = (column: string): number => Math.max(0, columns.indexOf(column));
  const cellOf = (column: string): string => `${letterOf(at(column))}${heading + 1 + row}`;
  const text = (column: string): string => {
    const typed = columns.includes(column) ? typedText(textOfCell(cells[at(column)])) : '';
    return column === 'description' ? oneLine(typed) : typed;
  };
  const isFaultyAt = (column: string) => faults.some((one) => one.column === at(column));
  const refuse: RowReader['refuse'] = (column, reason, { least, most, words } = {}) => {
    if (isFaultyAt(column)) return;
    faults.push({
      ...{ cell: cellOf(column), row, column: at(column), value: text(column), reason },
      ...{ least: least ?? null, most: most ?? null, words: [...(words ?? [])] },
    });
  };
  // First, so that no other reason hides it.
  for (const [index, column] of columns.entries()) {
    const cell = cells[index];
    if (column !== null && typeof cell === 'object') refuse(column, cell.unread);
  }
  return {
    ...{ row, cellOf, text, refuse, faults, additions },
    add: (addition) => {
      if (!isFaultyAt(addition.column)) additions.push(addition);
    },
    isFaulty: () => faults.length > 0,
    need: (needed) => {
      const lacking = needed.filter((column) => !columns.includes(column));
      if (lacking.length > 0) refuse(lacking[0] ?? '', 'no_column', { words: lacking });
      for (const column of needed) {
        if (columns.includes(column) && text(column) === '') refuse(column, 'required');
      }
    },
    whole: (column, least, most) => {
      const typed = text(column);
      if (typed === '') return null;
      const number = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
      if (number >= least && number <= most) return number;
      refuse(column, 'number', { least, most });
      return null;
    },
    choice: (column, choice) => {
      const typed = text(column).toLowerCase();
      if (typed === '') return undefined;
      const isKnown = choice.meanings.has(typed);
      if (!isKnown) refuse(column, 'choice', { words: wordsIn(choice, language) });
      return choice.meanings.get(typed);
    },
  };
}

/**
 * Checks what was read by the schema of the call that creates one object.
 * @param columns of fields whose columns have other names
 * @returns the body; undefined with faults of the reader
 */
export function checkBody<S extends z.ZodMiniType>(
  reader: RowReader,
  schema: S | undefined,
  body: object,
  columns: Readonly<Record<string, string>> = {},
): z.output<S> | undefined {
  if (schema === undefined) throw new Error('the call has no body');
  const checked = z.safeParse(schema, body);
  if (checked.success) return checked.data;
  for (const issue of checked.error.issues) {
    const field = String(issue.path[0] ?? '');
    const column = columns[field] ?? field;
    const isLong = issue.code === 'too_big' && issue.origin === 'string';
    if (isLong) reader.refuse(column, 'long', { most: Number(issue.maximum) });
    else if (issue.message === HAS_INVISIBLE) {
      const typed = reader.text(column);
      const isBroken = /[\r\n]/.test(typed) && !hasInvisible(oneLine(typed));
      reader.refuse(column, isBroken ? 'line_break' : 'invisible');
    } else reader.refuse(column, field === 'timezone' ? 'zone' : 'form');
  }
  return undefined;
}

/** A name as people mean it: in any case, with single spaces. */
export const keyOf = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();
