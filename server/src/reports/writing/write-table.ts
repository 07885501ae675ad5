import type { ReportFormat } from '@ridewatch/contract/reports';
import { csvOf } from './csv.ts';
import type { Table } from './table.ts';
import { xlsxOf } from './xlsx.ts';

/** Writes a table in a format, as it is read. */
export function writeTable(table: Table, format: ReportFormat): AsyncGenerator<Buffer | string> {
  return format === 'csv' ? csvOf(table) : xlsxOf(table);
}
