// A change of one row by an administrator: over the version that was seen, with one audit row of what became different.
import { sql } from 'kysely';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError, hasErrorCode } from '../core/errors.ts';

const UNIQUE_VIOLATION = '23505';

/** The tables whose rows have a version, and what the audit log calls their rows. */
const objectTypes = {
  clients: 'client',
  users: 'user',
  workplaces: 'workplace',
  units: 'unit',
  cameras: 'camera',
  stop_classifiers: 'stop_classifier',
  news: 'news',
  messages: 'message',
} as const;
export type VersionedTable = keyof typeof objectTypes;

/** The fields of a row that become different. */
type Changed<Row> = Partial<Omit<Row, 'id' | 'version'>>;

interface Change<Row> {
  readonly table: VersionedTable;
  readonly id: number;
  /** Of the row that the user saw. */
  readonly version: number;
  /** The command's name in the audit log. */
  readonly action: string;
  /** Reads the row as in answers. */
  readonly read: (tx: Tx) => Promise<Row>;
  /** New values of fields of the row; undefined ones stay. */
  readonly wanted: { readonly [Field in keyof Row]?: Row[Field] | undefined };
  /** Writes the fields that become different. Not called if none does. */
  readonly write: (tx: Tx, changed: Changed<Row>, before: Row) => Promise<unknown>;
  /** Added to the audit row: the day from which the change is valid. */
  readonly noted?: Readonly<Record<string, unknown>>;
}

/**
 * Changes a row.
 * @returns the row as it is then
 * @throws AppError conflict with the present row when somebody else has changed it
 */
export async function changeObject<Row extends object>(
  tx: Tx,
  actor: Actor,
  { table, id, version, action, read, wanted, write, noted }: Change<Row>,
): Promise<Row> {
  const { rows } = await sql<{ version: number }>`
    select row_version as version from ${sql.table(table)} where id = ${id} for no key update`.execute(
    tx,
  );
  const before = await read(tx);
  if (rows[0]?.version !== version) {
    const message = 'Somebody else has changed this meanwhile.';
    throw new AppError('conflict', message, { field: 'version', current: before });
  }
  const fields = (Object.keys(wanted) as (keyof Row)[]).filter(
    (field) => wanted[field] !== undefined && !isSame(wanted[field], before[field]),
  );
  if (fields.length === 0) return before;
  const pick = (from: Partial<Row>): Partial<Row> =>
    Object.fromEntries(fields.map((field) => [field, from[field]])) as Partial<Row>;
  await write(tx, pick(wanted as Partial<Row>) as Changed<Row>, before);
  await sql`update ${sql.table(table)} set row_version = row_version + 1 where id = ${id}`.execute(
    tx,
  );
  const after = await read(tx);
  await insertAudit(tx, actor, {
    action,
    objectType: objectTypes[table],
    objectId: id,
    before: pick(before),
    after: { ...pick(after), ...noted },
  });
  return after;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
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
