// Makes the plan of an import: the objects to create, and the cells with faults. A dry run and a write use the same plan.
import * as contract from '@ridewatch/contract/admin-import';
import type { Db } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { type Planned, planners } from './planners.ts';
import { isBlank, readRow, type Table } from './reading.ts';

/** The objects of a table, and what its check answers. */
export interface Plan {
  readonly planned: readonly Planned[];
  readonly check: contract.ImportCheck;
}

/** Rows that are read before other requests get their turn. */
const ROWS_AT_ONCE = 250;

/**
 * Plans the objects of a table for a user.
 * @param db a transaction where the objects are then written
 */
export async function planImport(
  db: Db,
  viewer: Viewer,
  kind: contract.ImportKind,
  table: Table,
): Promise<Plan> {
  const plan = await planners[kind](db, viewer, table);
  const planned: Planned[] = [];
  const faults: contract.ImportFault[] = [];
  const routes = new Map<string, contract.ImportCheck['routes'][number]>();
  const sums = { rows: 0, adds: 0, faulty: 0 };
  for (let row = 0; row < table.rows.length; row += 1) {
    if (row % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await new Promise(setImmediate);
    if (isBlank(table.rows[row] ?? [])) continue;
    const reader = readRow(table, row);
    for (const column of contract.neededColumns[kind]) {
      if (reader.text(column) === '') reader.refuse(column, 'required');
    }
    const made = plan(reader);
    sums.rows += 1;
    if (reader.isFaulty() || made === undefined) {
      sums.faulty += 1;
      faults.push(...reader.faults);
      continue;
    }
    sums.adds += 1;
    planned.push(made);
    if (made.kind !== 'buses' || made.newRoute === null) continue;
    const { key, name } = made.newRoute;
    const column = table.columns.indexOf('group');
    if (!routes.has(key)) {
      routes.set(key, { cell: reader.cellOf('group'), row, column, value: name });
    }
  }
  faults.splice(contract.MOST_IMPORT_FAULTS);
  return { planned, check: { ...sums, faults, routes: [...routes.values()] } };
}
