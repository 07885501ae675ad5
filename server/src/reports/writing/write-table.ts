import { COMMAS, csvFormOf, SEMICOLONS } from '@ridewatch/contract/csv-text';
import type { ReportFormat, ReportLanguage } from '@ridewatch/contract/reports';
import { csvOf } from './csv.ts';
import type { Table } from './table.ts';
import { xlsxOf } from './xlsx.ts';

/** How a table is written: a format, or CSV with a separator of the client's choice. */
export type FileForm = ReportFormat | 'csv;comma' | 'csv;semicolon';

/** The format of a file, whatever separates its cells. */
export const formatIn = (form: FileForm): ReportFormat => (form === 'xlsx' ? 'xlsx' : 'csv');

/**
 * Writes a table, as it is read.
 * @param language decides how CSV is written unless the form does
 */
export function writeTable(
  table: Table,
  form: FileForm,
  language: ReportLanguage,
): AsyncGenerator<Buffer | string> {
  if (form === 'xlsx') return xlsxOf(table);
  if (form === 'csv') return csvOf(table, csvFormOf(language));
  return csvOf(table, form === 'csv;comma' ? COMMAS : SEMICOLONS);
}
