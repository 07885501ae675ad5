// A change of one row by an administrator, with one audit row of what became different.
import type { AuditAction } from '@ridewatch/contract/action-words';
import { sql } from 'kysely';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError, hasErrorCode } from '../core/errors.ts';
import { isSame, refuseUnseen } from '../core/refuse-unseen.ts';

const UNIQUE_VIOLATION = '23505';

/** The tables whose rows a form changes, and what the audit log calls their rows. */
const objectTypes = {
  clients: 'client',
  users: 'user',
  workplaces: 'workplace',
  units: 'unit',
  cameras: 'camera',
  stop_classifiers: 'stop_classifier',
  news: 'news',
  messages: 'message',
  upstreams: 'upstream',
} as const;
export type ChangedTable = keyof typeof objectTypes;

/** The fields of a row that become different. */
type Fields<Row> = Partial<Omit<Row, 'id'>>;

/** A row after a change. */
export interface Changed<Row> {
  readonly row: Row;
  /** Whether a field became different. */
  readonly isChanged: boolean;
}

interface Change<Row> {
  readonly table: ChangedTable;
  readonly id: number;
  /** The fields that the call names, and what the user saw of them. */
  readonly body: { readonly seen?: object | undefined };
  /** The fields of the body that answers have in another form. */
  readonly asBody?: (row: Row) => object;
  /** The command's name in the audit log. */
  readonly action: AuditAction;
  /** Reads the row as in answers. */
  readonly read: (tx: Tx) => Promise<Row>;
  /** New values of fields of the row; undefined ones stay. */
  readonly wanted: { readonly [Field in keyof Row]?: Row[Field] | undefined };
  /** Writes the fields that become different. Not called if none does. */
  readonly write: (tx: Tx, changed: Fields<Row>, before: Row) => Promise<unknown>;
  /** Names the field of a row that is a secret id: the audit log says only that it is new. */
  readonly secretIdOf?: (row: Row) => keyof Row | undefined;
  /** Added to the audit row: the day from which the change is valid. */
  readonly noted?: Readonly<Record<string, unknown>>;
}

/**
 * Changes a row.
 * @throws AppError conflict with the present row when somebody else has changed one of the fields
 */
export async function changeObject<Row extends object>(
  tx: Tx,
  actor: Actor,
  { table, id, body, asBody, action, read, wanted, write, secretIdOf, noted }: Change<Row>,
): Promise<Changed<Row>> {
  await lockRow(tx, table, id);
  const before = await read(tx);
  refuseUnseen({ ...before, ...asBody?.(before) }, body, before);
  const fields = (Object.keys(wanted) as (keyof Row)[]).filter(
    (field) => wanted[field] !== undefined && !isSame(wanted[field], before[field]),
  );
  if (fields.length === 0) return { row: before, isChanged: false };
  const pick = (from: Partial<Row>): Partial<Row> =>
    Object.fromEntries(fields.map((field) => [field, from[field]])) as Partial<Row>;
  await write(tx, pick(wanted as Partial<Row>) as Fields<Row>, before);
  const after = await read(tx);
  const logged = (row: Row): object => {
    const told = fields.filter((field) => field !== secretIdOf?.(row));
    return Object.fromEntries(told.map((field) => [field, row[field]]));
  };
  const secretId = secretIdOf?.(after);
  const hasNewId = secretId !== undefined && fields.includes(secretId);
  await insertAudit(tx, actor, {
    action,
    objectType: objectTypes[table],
    objectId: id,
    before: logged(before),
    after: { ...logged(after), ...(hasNewId && { has_new_id: true }), ...noted },
  });
  return { row: after, isChanged: true };
}

/** Locks a row until the transaction ends: nobody else changes it. */
export async function lockRow(tx: Tx, table: ChangedTable, id: number): Promise<void> {
  await sql`select from ${sql.table(table)} where id = ${id} for no key update`.execute(tx);
}

/**
 * Runs a write that a unique key may refuse.
 * @param field of the request that has the taken value
 * @param key the unique key's name, if the write may break several; by default any
 * @throws AppError conflict
 */
export async function refuseTaken<T>(
  field: string,
  message: string,
  write: () => Promise<T>,
  key?: string,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!hasErrorCode(error, UNIQUE_VIOLATION)) throw error;
    const broken = error instanceof Error && 'constraint' in error ? error.constraint : undefined;
    if (key !== undefined && broken !== key) throw error;
    throw new AppError('conflict', message, { field });
  }
}
