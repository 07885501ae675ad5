// Makes the plan of an import: the objects to create and to change, and the cells with faults. A dry run and a write use
// the same plan.
import * as contract from '@ridewatch/contract/admin-import';
import type { ReportLanguage } from '@ridewatch/contract/reports';
import type { Db } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { planBuses } from './plan-buses.ts';
import { planCameras } from './plan-cameras.ts';
import { planCustomers } from './plan-customers.ts';
import { planUnits } from './plan-units.ts';
import { planUsers } from './plan-users.ts';
import { isBlank, keyOf, type RowReader, readRow, type Table } from './reading.ts';
import type { Change, Creation, MakePlanner, RowPlan } from './row-plan.ts';
import { cellsOf, type StoredOf } from './stored.ts';

/** The objects of a table, and what its check answers. */
export interface Plan {
  readonly creations: readonly Creation[];
  readonly changes: readonly Change[];
  readonly check: contract.ImportCheck;
}

/** Rows that are read before other requests get their turn. */
const ROWS_AT_ONCE = 250;

const planners: { readonly [Kind in contract.ImportKind]: MakePlanner<Kind> } = {
  customers: planCustomers,
  users: planUsers,
  buses: planBuses,
  units: planUnits,
  cameras: planCameras,
};

interface Asked {
  readonly kind: contract.ImportKind;
  readonly table: Table;
  /** Of the words in the answer. */
  readonly language: ReportLanguage;
  /** Ms since 1970 UTC. */
  readonly nowMs: number;
}

/**
 * Plans the objects of a table for a user.
 * @param db a transaction where the objects are then written
 */
export async function planImport(
  db: Db,
  viewer: Viewer,
  { kind, table, language, nowMs }: Asked,
): Promise<Plan> {
  const plan = await planners[kind](db, viewer, table, nowMs);
  const creations: Creation[] = [];
  const changes: Change[] = [];
  const states: contract.ImportRowState[] = [];
  const faults: contract.ImportFault[] = [];
  const changed: contract.ImportChange[] = [];
  const additions = createAdditions(table);
  for (let row = 0; row < table.rows.length; row += 1) {
    if (row % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await new Promise(setImmediate);
    if (isBlank(table.rows[row] ?? [])) {
      states.push('blank');
      continue;
    }
    const reader = readRow(table, row, language);
    for (const column of contract.keyColumns[kind]) {
      if (reader.text(column) === '') reader.refuse(column, 'required');
    }
    const planned = plan(reader);
    const made = planned instanceof Promise ? await planned : planned;
    additions.note(reader);
    if (reader.isFaulty() || made === undefined) {
      states.push('faulty');
      faults.push(...reader.faults.toSorted((a, b) => a.column - b.column));
      continue;
    }
    if ('creation' in made) creations.push(made.creation);
    else if (made.change) changes.push(made.change);
    states.push(stateOf(made));
    changed.push(...changedCells(made, reader, table, language));
  }
  const count = (wanted: contract.ImportRowState) =>
    states.filter((state) => state === wanted).length;
  const check = {
    rows: states.length - count('blank'),
    ...{ adds: count('new'), changes: count('changed'), faulty: count('faulty') },
    ...{ states, ...additions.found() },
    ...{ faults: faults.slice(0, contract.MOST_IMPORT_FAULTS), fault_cells: faults.length },
    ...{ changed: changed.slice(0, contract.MOST_IMPORT_FAULTS), changed_cells: changed.length },
  };
  return { creations, changes, check };
}

/** Gathers what the rows of a table create besides their objects. */
function createAdditions(table: Table) {
  const routes = new Map<string, contract.ImportCheck['routes'][number]>();
  const ofUnknown: typeof routes = new Map();
  const units: number[] = [];
  return {
    note: (reader: RowReader): void => {
      for (const { column, key } of reader.additions) {
        const value = reader.text(column);
        const own = key === null ? ofUnknown : routes;
        const name = key ?? keyOf(value);
        if (column === 'device_id') units.push(reader.row);
        else if (!own.has(name)) own.set(name, { ...placeOf(reader, table, column), value });
      }
    },
    found: (): Pick<contract.ImportCheck, 'routes' | 'units'> => {
      const named = new Set([...routes.values()].map(({ value }) => keyOf(value)));
      const others = [...ofUnknown].flatMap(([name, cell]) => (named.has(name) ? [] : [cell]));
      return { routes: [...routes.values(), ...others], units };
    },
  };
}

function stateOf(made: RowPlan): contract.ImportRowState {
  if ('creation' in made) return 'new';
  return made.change ? 'changed' : 'same';
}

/** The cells of a row that make its object different; columns that the table lacks follow from others. */
function changedCells(
  made: RowPlan,
  reader: RowReader,
  table: Table,
  language: ReportLanguage,
): contract.ImportChange[] {
  if ('creation' in made || !made.change) return [];
  const before = storedCells(made.kind, made.stored, language);
  return made.columns
    .filter((column) => table.columns.includes(column))
    .map((column) => ({
      ...placeOf(reader, table, column),
      value: reader.text(column),
      before: String(before[column] ?? ''),
    }));
}

// The compiler does not follow that kind and object belong together.
function storedCells<Kind extends contract.ImportKind>(
  kind: Kind,
  stored: StoredOf[contract.ImportKind],
  language: ReportLanguage,
) {
  return cellsOf[kind](stored as StoredOf[Kind], language);
}

const placeOf = (reader: RowReader, table: Table, column: string) => ({
  cell: reader.cellOf(column),
  row: reader.row,
  column: table.columns.indexOf(column),
});
