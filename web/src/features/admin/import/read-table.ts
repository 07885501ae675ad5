import { type ImportCell, MOST_IMPORT_ROWS } from '@ridewatch/contract/admin-import';

/** Most rows below the headings. */
export const MOST_ROWS_READ = MOST_IMPORT_ROWS;
/** The last row that may have the headings, from 1. */
export const LAST_HEADING = 1000;
/** Largest file, bytes. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** Longest reading, ms. */
const MAX_READING_MS = 20_000;

/**
 * Why a file cannot be read: nothing in it; too large; too many rows or columns; headings too far down; a cell; a quote
 * that does not end; no table that we know.
 */
export type ReadProblem =
  | 'empty'
  | 'large'
  | 'rows'
  | 'columns'
  | 'heading'
  | 'cell'
  | 'quote'
  | 'other';

/** The first sheet of a file that has something in it. */
export interface SheetRows {
  /** Its name; null for a text. */
  readonly sheet: string | null;
  /** The row of the headings, from 1. */
  readonly heading: number;
  readonly names: readonly string[];
  /** The rows below the headings, also blank ones. */
  readonly rows: readonly (readonly ImportCell[])[];
}

export interface Unread {
  readonly problem: ReadProblem;
  /** The cell of the problem `cell`, as `C4`; the line of `quote`, from 1. */
  readonly at?: string;
}

export type ReadAnswer = { readonly table: SheetRows } | Unread;

/**
 * Reads a spreadsheet (XLSX) or a text with commas, semicolons or tabs, in UTF-8 or windows-1251; its content decides,
 * not its name.
 */
export async function readTable(file: File): Promise<ReadAnswer> {
  if (file.size > MAX_FILE_BYTES) return { problem: 'large' };
  const worker = new Worker(new URL('./table-worker.ts', import.meta.url), { type: 'module' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const bytes = await file.arrayBuffer();
    return await new Promise<ReadAnswer>((resolve) => {
      timer = setTimeout(() => resolve({ problem: 'large' }), MAX_READING_MS);
      worker.onmessage = ({ data }: MessageEvent<ReadAnswer>) => resolve(data);
      worker.onerror = () => resolve({ problem: 'other' });
      worker.postMessage(bytes, [bytes]);
    });
  } catch {
    return { problem: 'other' };
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
