// A snapshot of the whole database and a copy of every media file, while the server works. One REPEATABLE READ
// transaction reads the database; media are copied after it, so every file that the snapshot names exists. Background
// jobs are not included: they are nudges, and the sweep adds them again.
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { connectUnlimited } from '../core/db/connections.ts';
import { REMEDY } from '../core/db/installed-database.ts';
import type { Storage } from '../storage/storage.ts';
import { MANIFEST_FILE, type Manifest, measureFile, mediaFile, tableFile } from './manifest.ts';

/** Tables without data of the product, or with data for a moment only. */
const LEFT_OUT = ['migrations', 'live_streams', 'live_pieces'];

/**
 * Writes a backup into a new or empty folder.
 * @param nowMs date of the backup, ms since 1970 UTC
 * @throws Error when the folder holds something, or the database has no rows; a backup that failed leaves nothing
 */
export async function writeBackup(
  databaseUrl: string,
  storage: Storage,
  folder: string,
  nowMs: number,
): Promise<Manifest> {
  const held = await readdir(folder).catch(() => []);
  if (held.length > 0) throw new Error(`${folder} is not empty.`);
  const client = await connectUnlimited(databaseUrl, 'ridewatch backup');
  try {
    await client.query('begin isolation level repeatable read read only');
    const tables = await listTables(client);
    await expectRows(client, tables);
    const made = await mkdir(folder, { recursive: true });
    try {
      const manifest = await copyAll(client, tables, storage, folder, nowMs);
      await writeFile(path.join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
      return manifest;
    } catch (error) {
      await removeRest(made, folder);
      throw error;
    }
  } finally {
    await client.end();
  }
}

// Each start of a server writes a row, so a database without one was made by a command or is another one.
async function expectRows(client: pg.Client, tables: readonly string[]): Promise<void> {
  for (const name of tables) {
    const found = await client.query(`select from ${client.escapeIdentifier(name)} limit 1`);
    if (found.rowCount !== 0) return;
  }
  throw new Error(`The database is empty: no server has used it yet. ${REMEDY}`);
}

async function copyAll(
  client: pg.Client,
  tables: readonly string[],
  storage: Storage,
  folder: string,
  nowMs: number,
): Promise<Manifest> {
  await mkdir(path.join(folder, 'tables'));
  const manifest: Manifest = {
    format: 'ridewatch-backup-1',
    created_at: new Date(nowMs).toISOString(),
    migrations: await column(client, 'select name from migrations order by name'),
    tables: [],
    partitions: await listPartitions(client),
    sequences: await listSequences(client),
    media: [],
  };
  for (const name of tables) manifest.tables.push(await copyTable(client, name, folder));
  await client.query('commit');
  return { ...manifest, media: await copyMedia(storage, folder) };
}

// A folder that was there before stays.
async function removeRest(made: string | undefined, folder: string): Promise<void> {
  if (made !== undefined) return rm(made, { recursive: true, force: true });
  for (const name of await readdir(folder)) {
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

async function column(client: pg.Client, statement: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(statement);
  return rows.map(({ name }) => name);
}

// Tables in the order of their foreign keys; a partitioned table includes its partitions.
async function listTables(client: pg.Client): Promise<string[]> {
  const all = await column(
    client,
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
     order by relname`,
  );
  const { rows } = await client.query<{ child: string; parent: string }>(
    `select conrelid::regclass::text as child, confrelid::regclass::text as parent
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
       and conrelid <> confrelid`,
  );
  const ordered: string[] = [];
  let left = all.filter((name) => !LEFT_OUT.includes(name));
  while (left.length > 0) {
    const ready = left.filter(
      (name) => !rows.some(({ child, parent }) => child === name && left.includes(parent)),
    );
    if (ready.length === 0)
      throw new Error(`The foreign keys of these tables form a cycle: ${left}`);
    ordered.push(...ready);
    left = left.filter((name) => !ready.includes(name));
  }
  return ordered;
}

async function listPartitions(client: pg.Client): Promise<Manifest['partitions']> {
  const { rows } = await client.query<Manifest['partitions'][number]>(
    `select child.relname as name, parent.relname as parent,
       pg_get_expr(child.relpartbound, child.oid) as bounds
     from pg_inherits join pg_class as child on child.oid = inhrelid
     join pg_class as parent on parent.oid = inhparent
     where child.relnamespace = 'public'::regnamespace and child.relkind = 'r' order by child.relname`,
  );
  return rows;
}

async function listSequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string; value: number | null; first: number }>(
    `select sequencename as name, last_value as value, start_value as first
     from pg_sequences where schemaname = 'public' order by sequencename`,
  );
  return rows.map(({ name, value, first }) => ({
    name,
    value: value ?? first,
    called: value !== null,
  }));
}

async function copyTable(
  client: pg.Client,
  name: string,
  folder: string,
): Promise<Manifest['tables'][number]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
    [name],
  );
  const columns = rows.map((row) => row.name);
  const list = columns.map((one) => client.escapeIdentifier(one)).join(', ');
  const table = client.escapeIdentifier(name);
  const stream = client.query(copyTo(`copy (select ${list} from ${table}) to stdout`));
  const file = tableFile(folder, name);
  await pipeline(stream, createGzip({ level: 6 }), createWriteStream(file, { flush: true }));
  return { name, columns, rows: stream.rowCount ?? 0, ...(await measureFile(file)) };
}

async function copyMedia(storage: Storage, folder: string): Promise<Manifest['media']> {
  const media: Manifest['media'] = [];
  for await (const { key } of storage.list('')) {
    const file = mediaFile(folder, key);
    await mkdir(path.dirname(file), { recursive: true });
    await pipeline(await storage.get(key), createWriteStream(file, { flush: true }));
    media.push({ key, ...(await measureFile(file)) });
  }
  return media;
}
