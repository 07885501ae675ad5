import { Readable } from 'node:stream';
import readExcelFile from 'read-excel-file/node';

/** A cell as a reader understands it. */
export type ReadCell = string | number | boolean | Date | null;

/** A sheet of a spreadsheet. */
export interface ReadSheet {
  readonly name: string;
  readonly rows: ReadCell[][];
}

/** Opens a spreadsheet with a reader library. @returns its sheets in order */
export async function readXlsx(bytes: Uint8Array): Promise<ReadSheet[]> {
  const sheets = await readExcelFile(Readable.from([Buffer.from(bytes)]));
  return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data as ReadCell[][] }));
}
