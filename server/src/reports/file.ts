// The file of a report: its rows, written in its format.

import {
  MAX_REPORT_ROWS,
  type ReportFormat,
  type ReportLanguage,
  type ReportParameters,
} from '@ridewatch/contract/reports';
import { wordIn } from '@ridewatch/contract/words';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Question } from './question.ts';
import { rowsOf } from './rows/rows-of.ts';
import { reportNames } from './words.ts';
import type { Row } from './writing/table.ts';
import { type FileForm, writeTable } from './writing/write-table.ts';

/** How far a file is. */
export interface FileProgress {
  rows: number;
  /** Of the work, 0 to 1. */
  share: number;
}

/**
 * Writes the file of a report as it is read. The first rows are read at once, so that a failure is still an answer;
 * the others are not read ahead: a slow reader slows the reading down, and holds no connection meanwhile.
 * @param progress is kept up to date
 * @throws AppError too_large above MAX_REPORT_ROWS rows; whatever the database throws
 */
export async function writeFile(
  db: Db,
  question: Question,
  form: FileForm,
  progress: FileProgress = { rows: 0, share: 0 },
): Promise<AsyncGenerator<Buffer | string>> {
  const { columns, read } = rowsOf(question);
  const rows = read(db, (share) => {
    progress.share = share;
  });
  const name = wordIn(question.language, reportNames[question.parameters.kind]);
  const table = { name, columns, lots: limited(await rows.next(), rows, progress) };
  return writeTable(table, form, question.language);
}

/**
 * About how many rows a report has.
 * @param most counting ends there
 */
export async function countRows(db: Db, question: Question, most: number): Promise<number> {
  return rowsOf(question).count(db, most);
}

/** @throws AppError too_large when a report has too many rows for a file, as far as an estimate knows */
export async function checkRows(db: Db, question: Question): Promise<void> {
  if ((await countRows(db, question, MAX_REPORT_ROWS + 1)) > MAX_REPORT_ROWS) throw tooLarge();
}

/** The name under which a file is saved: `Пассажиропоток_2026-01-01_2026-03-31.xlsx`. */
export function fileName(
  { kind, from, to }: ReportParameters,
  format: ReportFormat,
  language: ReportLanguage,
): string {
  const name = wordIn(language, reportNames[kind]).replaceAll(' ', '-');
  return `${name}_${from === to ? from : `${from}_${to}`}.${format}`;
}

async function* limited(
  first: IteratorResult<readonly Row[]>,
  rest: AsyncGenerator<readonly Row[]>,
  progress: FileProgress,
): AsyncGenerator<readonly Row[]> {
  for (let lot = first; lot.done !== true; lot = await rest.next()) {
    progress.rows += lot.value.length;
    if (progress.rows > MAX_REPORT_ROWS) throw tooLarge();
    yield lot.value;
  }
}

function tooLarge(): AppError {
  const message = `The report has over ${MAX_REPORT_ROWS} rows. Choose fewer days or buses.`;
  return new AppError('too_large', message);
}
