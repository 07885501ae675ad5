// The plan of a row of a table, and the parts of the planners that read rows.
import type { createBus, setBusSettings } from '@ridewatch/contract/admin-buses';
import type { updateCamera } from '@ridewatch/contract/admin-cameras';
import type { createCustomer, updateCustomer } from '@ridewatch/contract/admin-customers';
import { type ImportKind, textOfCell } from '@ridewatch/contract/admin-import';
import type { updateUnit } from '@ridewatch/contract/admin-units';
import type { updateUser } from '@ridewatch/contract/admin-users';
import type { Role } from '@ridewatch/contract/auth';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import type { Named } from '@ridewatch/contract/paging';
import type { Db } from '../../core/db/db.ts';
import { isSame } from '../../core/refuse-unseen.ts';
import type { Viewer } from '../../core/viewer.ts';
import type { FieldsOfBus } from '../bus-changes.ts';
import type { NewCamera } from '../cameras.ts';
import type { NewUnit } from '../new-units.ts';
import type { Find } from './known.ts';
import { oneLine, type RowReader, type Table, typedText } from './reading.ts';
import type { StoredOf } from './stored.ts';

/** A route that does not exist yet; its key is the same for all buses that name it. */
export interface NewRoute {
  readonly key: string;
  readonly name: string;
  readonly client: Named;
}

/** An object to create. */
export type Creation =
  | { readonly kind: 'customers'; readonly body: BodyOf<typeof createCustomer> }
  | {
      readonly kind: 'users';
      readonly login: string;
      readonly role: Role;
      readonly client: Named | null;
      readonly can_edit: boolean;
    }
  | {
      readonly kind: 'buses';
      readonly body: BodyOf<typeof createBus>;
      readonly client: Named;
      readonly newRoute: NewRoute | null;
      readonly device: string | null;
    }
  | ({ readonly kind: 'units' } & NewUnit)
  | { readonly kind: 'cameras'; readonly bus: Named; readonly fields: NewCamera['fields'] };

/** Fields of a stored object that become different; `seen` has them as they are, so that no later change is lost. */
export type Change =
  | {
      readonly kind: 'customers';
      readonly id: number;
      readonly body: BodyOf<typeof updateCustomer>;
    }
  | { readonly kind: 'users'; readonly id: number; readonly body: BodyOf<typeof updateUser> }
  | {
      readonly kind: 'buses';
      readonly id: number;
      readonly name: string;
      readonly body: FieldsOfBus['body'] | undefined;
      readonly settings: Omit<BodyOf<typeof setBusSettings>, 'valid_from'> | undefined;
      readonly newRoute: NewRoute | null;
      /** Of a unit to create in it. */
      readonly device: string | null;
    }
  | { readonly kind: 'units'; readonly id: number; readonly body: BodyOf<typeof updateUnit> }
  | { readonly kind: 'cameras'; readonly id: number; readonly body: BodyOf<typeof updateCamera> };

/** The plan of a row; without a change the row leaves its object alone. */
export type RowPlan<Kind extends ImportKind = ImportKind> = {
  [One in Kind]:
    | { readonly kind: One; readonly creation: Extract<Creation, { kind: One }> }
    | {
        readonly kind: One;
        readonly stored: StoredOf[One];
        readonly change: Extract<Change, { kind: One }> | undefined;
        /** The columns that become different. */
        readonly columns: readonly string[];
      };
}[Kind];

/** A plan; undefined, or faults of the reader: the row cannot be taken. */
type Planned<Kind extends ImportKind> = RowPlan<Kind> | undefined;

/** Reads a row; some rows need a question to the database. */
export type Planner<Kind extends ImportKind> = (
  reader: RowReader,
) => Planned<Kind> | Promise<Planned<Kind>>;

/** Makes the planner of a table. @param nowMs ms since 1970 UTC */
export type MakePlanner<Kind extends ImportKind> = (
  db: Db,
  viewer: Viewer,
  table: Table,
  nowMs: number,
) => Promise<Planner<Kind>>;

// A stored text may have spaces around it, which no cell keeps, and line breaks, which a description does not.
const isTyped = (cell: unknown, stored: unknown): boolean =>
  isSame(cell, stored) ||
  (typeof stored === 'string' && (isSame(cell, stored.trim()) || isSame(cell, oneLine(stored))));

/**
 * The body of a change.
 * @param before the stored values of fields
 * @param after the values that a row gives them
 * @returns the fields that become different, in `seen` as they are; undefined when none does
 */
export function changeOf<T extends object>(
  before: T,
  after: T,
): (Partial<T> & { readonly seen: Partial<T> }) | undefined {
  const fields = (Object.keys(after) as (keyof T)[]).filter(
    (field) => !isTyped(after[field], before[field]),
  );
  const pick = (from: T) =>
    Object.fromEntries(fields.map((field) => [field, from[field]])) as Partial<T>;
  return fields.length === 0 ? undefined : { ...pick(after), seen: pick(before) };
}

/**
 * Stored objects by the text of the cell in which a table names them. The one with exactly this text comes before one
 * whose text the cell changes.
 * @param keyOf makes the key of an object; it passes each text of it through `read`
 */
export function byCell<T>(
  stored: readonly T[],
  keyOf: (one: T, read: (text: string) => string) => string,
): ReadonlyMap<string, T> {
  const keyed = (read: (text: string) => string) =>
    stored.map((one) => [keyOf(one, read), one] as const);
  return new Map([...keyed((text) => text.trim()), ...keyed((text) => text)]);
}

/** The fields of the body of a change. */
export const fieldsIn = (body: object | undefined): string[] =>
  Object.keys(body ?? {}).filter((field) => field !== 'seen');

/** Notes cells with a value that a cell above has, too. */
export function createOnce() {
  const cells = new Map<string, string>();
  return (reader: RowReader, column: string, key: string): void => {
    const before = cells.get(key);
    if (before !== undefined) reader.refuse(column, 'twice', { words: [before] });
    else cells.set(key, reader.cellOf(column));
  };
}

/** Most names in a fault. */
const MOST_NAMES = 5;

/** Names of objects for a fault, the first of them. */
export const namesFor = (objects: readonly { readonly name: string }[]): string[] =>
  [...new Set(objects.map(({ name }) => name))].slice(0, MOST_NAMES);

/**
 * The customer that a row names, among those that the user sees. Of several of that name it is the one that the object of
 * the row has already.
 * @param owners the customers of the object
 */
export function clientOf(
  reader: RowReader,
  find: Find<Named>,
  owners: readonly Named[],
): Named | undefined {
  const text = reader.text('client');
  if (text === '') return undefined;
  const found = find(text);
  const own = found.filter(({ id }) => owners.some((owner) => owner.id === id));
  const [client, other] = own.length === 1 ? own : found;
  if (client === undefined) reader.refuse('client', 'unknown');
  else if (other) reader.refuse('client', 'several_clients', { words: namesFor(found) });
  return client;
}

/** The texts of a column, as a reader of its rows gives them. */
export const valuesOf = ({ columns, rows }: Table, column: string): string[] => {
  const at = columns.indexOf(column);
  return at < 0 ? [] : rows.map((row) => typedText(textOfCell(row[at])));
};

/** Objects of one statement. */
const AT_ONCE = 250;

/** Cuts many objects into lots, one for each statement. */
export function* lotsOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE);
}
