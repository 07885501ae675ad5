import { type ImportCell, textOfCell } from '@ridewatch/contract/admin-import';

/** Whether a cell has no text but spaces. */
export const isBlank = (cell: ImportCell): boolean => textOfCell(cell).trim() === '';

/** A row without blank cells at its end. */
export function trimmed(row: ImportCell[]): ImportCell[] {
  return row.slice(0, row.findLastIndex((cell) => !isBlank(cell)) + 1);
}
