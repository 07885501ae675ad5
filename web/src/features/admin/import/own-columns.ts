import { adminColumns, type ImportKind, importColumns } from '@ridewatch/contract/admin-import';
import { currentSession } from '../../../core/session.ts';

/** The columns that the user may import. */
export function ownColumns(kind: ImportKind): readonly string[] {
  const isAdmin = currentSession()?.user.role === 'ADMIN';
  return importColumns[kind].filter((column) => isAdmin || !adminColumns.includes(column));
}
