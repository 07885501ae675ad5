import type { Info } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { type CsvRow, chunksOf, csvOptions, firstLineOf } from '../routes/files/csv.ts';

/** All rows of a table, with the number of the first line of each. */
export function readCsv(text: string, delimiter: string): { row: CsvRow; line: number }[] {
  const rows = parse([...chunksOf(text)].join(''), {
    ...csvOptions(delimiter),
    info: true,
  }) as unknown as {
    record: CsvRow;
    info: Info;
  }[];
  return rows.map(({ record, info }) => ({ row: record, line: firstLineOf(record, info.lines) }));
}
