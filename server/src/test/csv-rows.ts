import { type CsvRow, eachRow } from '../routes/files/csv.ts';

/** All rows of a table, with the number of the first line of each. */
export function readCsv(text: string, delimiter: string): { row: CsvRow; line: number }[] {
  const rows: { row: CsvRow; line: number }[] = [];
  eachRow(text, delimiter, (row, line) => rows.push({ row, line }));
  return rows;
}
