import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { isDatabaseAway, StartError } from '../errors.ts';
import {
  type ConnectionLimits,
  connectionOptions,
  connectUnlimited,
  cutWhenSilent,
} from './connections.ts';
import type { DB } from './db-types.ts';

/** A connection or a transaction: every query takes one as its first argument. */
export type Db = Kysely<DB>;
/** A transaction, where a function only makes sense inside one. */
export type Tx = Transaction<DB>;

export interface Database {
  readonly db: Db;
  /** For what Kysely cannot do: COPY, LISTEN. */
  readonly pool: pg.Pool;
  readonly url: string;
  /** The application_name of this process, unique among all. */
  readonly name: string;
  /** Timeouts of its statements. */
  readonly limits: ConnectionLimits;
  close(): Promise<void>;
}

const migrationsDir = path.resolve(import.meta.dirname, '../../../migrations');
/** Key of the advisory lock: servers that start together migrate one after the other. Any constant will do. */
const MIGRATION_LOCK = 7_236_519;

// Ids and counts stay far below 2^53. A larger one must fail, not lose digits.
const readInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`The bigint ${text} exceeds 2^53.`);
  return value;
};
/** PostgreSQL's type of bigint[]. */
const INT8_ARRAY = 1016;
pg.types.setTypeParser(pg.types.builtins.INT8, readInteger);
pg.types.setTypeParser(INT8_ARRAY as typeof pg.types.builtins.INT8, (text) =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(readInteger),
);
// A day stays text. A Date would shift it by the machine's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/**
 * Opens a connection pool. Waiting for a connection takes 5 s at most, a statement as long as the limits allow.
 * @param url `postgresql://…`
 * @param poolSize most connections
 * @param limits of the role
 * @param onError receives errors of connections that broke while idle
 * @param name of the process's first pool, when this one belongs to it
 */
export function openDatabase(
  url: string,
  poolSize: number,
  limits: ConnectionLimits,
  onError: (error: Error) => void,
  name = `ridewatch ${randomUUID()}`,
): Database {
  const pool = new pg.Pool({ ...connectionOptions(url, name, limits), max: poolSize });
  pool.on('error', onError);
  pool.on('connect', (client) => {
    // A checked-out connection can also break between two statements.
    client.on('error', onError);
    cutWhenSilent(client, limits);
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const close = async (): Promise<void> => {
    await db.destroy();
    // Kysely does not end a pool that it never used.
    if (!pool.ending) await pool.end();
  };
  return { db, pool, url, name, limits, close };
}

/** The names of all migrations, in the order in which they are applied. */
export async function listMigrations(): Promise<string[]> {
  return (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql')).sort();
}

/**
 * Applies the files of server/migrations that are not applied yet, each in one transaction.
 * @param only the names of the migrations that may be applied, for an older schema; all unless given
 * @returns the names of the applied files
 * @throws StartError for a database that does not open, ends meanwhile, is of a newer version or of another encoding than
 *   UTF8; the database's error, and a failed file is rolled back
 */
export async function migrate(url: string, only?: readonly string[]): Promise<string[]> {
  const client = await connectUnlimited(url, 'ridewatch migrations');
  try {
    await expectUtf8(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from migrations');
    const done = new Set(rows.map((row) => row.name));
    const known = await listMigrations();
    const newer = rows.map((row) => row.name).find((name) => !known.includes(name));
    if (newer !== undefined) {
      throw new StartError(
        `The database is of a newer version: it has the migration ${newer}. Start that version, or restore a backup of before.`,
      );
    }
    const wanted = only ?? known;
    const due = [...wanted].sort().filter((name) => !done.has(name));
    for (const name of due) {
      const text = await readFile(path.join(migrationsDir, name), 'utf8');
      await client.query('begin');
      try {
        await client.query(text);
        await client.query('insert into migrations (name) values ($1)', [name]);
        await client.query('commit');
      } catch (error) {
        // It throws when the connection has ended, which rolls back, too.
        await client.query('rollback').catch(() => undefined);
        throw new Error(`Migration ${name} failed.`, { cause: error });
      }
    }
    return due;
  } catch (cause) {
    if (!isDatabaseAway(cause)) throw cause;
    throw new StartError('The database ended while its tables were made. Start again.', { cause });
  } finally {
    await client.end();
  }
}

async function expectUtf8(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding === 'UTF8') return;
  throw new StartError(
    `The database (DATABASE_URL) has the encoding ${encoding}. Create it anew with UTF8: createdb --encoding UTF8 --template template0 …`,
  );
}
