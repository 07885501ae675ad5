// Restores a backup into an empty installation. Every checksum is verified before anything is written. Media come
// first, then the database in one transaction, so that a failure leaves an empty database and files that nothing names.
// A backup of an older version is filled into the tables of that version; later migrations then convert the rows.
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { connectUnlimited } from '../core/db/connections.ts';
import { listMigrations, migrate } from '../core/db/db.ts';
import type { Storage } from '../storage/storage.ts';
import { type Manifest, measureFile, mediaFile, readManifest, tableFile } from './manifest.ts';

/**
 * Restores a backup and migrates the database.
 * @param databaseUrl an empty database, without tables or with the backup's schema
 * @param storage an empty store
 * @throws Error that says what prevents it; then no row was written
 */
export async function restoreBackup(
  databaseUrl: string,
  storage: Storage,
  folder: string,
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  await checkFiles(manifest, folder);
  for await (const { key } of storage.list('')) {
    throw new Error(`The media store is not empty: it holds ${key}.`);
  }
  const known = new Set(await listMigrations());
  if (!manifest.migrations.every((name) => known.has(name))) {
    throw new Error('The backup is from a newer version. Restore it with that version.');
  }
  await migrate(databaseUrl, manifest.migrations);
  await fill(databaseUrl, storage, folder, manifest);
  await migrate(databaseUrl);
  return manifest;
}

async function fill(
  databaseUrl: string,
  storage: Storage,
  folder: string,
  manifest: Manifest,
): Promise<void> {
  const client = await connectUnlimited(databaseUrl, 'ridewatch restore');
  try {
    await checkDatabase(client, manifest);
    for (const { key } of manifest.media) {
      await storage.put(key, createReadStream(mediaFile(folder, key)));
    }
    await client.query('begin');
    for (const { name, parent, bounds } of manifest.partitions) {
      await client.query(
        `create table if not exists ${client.escapeIdentifier(name)}
         partition of ${client.escapeIdentifier(parent)} ${bounds}`,
      );
    }
    for (const table of manifest.tables) await fillTable(client, table, folder);
    for (const { name, value, called } of manifest.sequences) {
      await client.query('select setval($1::regclass, $2, $3)', [name, value, called]);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}

async function checkFiles(manifest: Manifest, folder: string): Promise<void> {
  const files = [
    ...manifest.tables.map((entry) => ({ ...entry, file: tableFile(folder, entry.name) })),
    ...manifest.media.map((entry) => ({ ...entry, file: mediaFile(folder, entry.key) })),
  ];
  for (const { file, bytes, sha256 } of files) {
    const found = await measureFile(file).catch((cause: unknown) => {
      throw new Error(`${file} cannot be read.`, { cause });
    });
    if (found.bytes !== bytes || found.sha256 !== sha256) {
      throw new Error(`${file} is damaged: its checksum differs from the manifest.`);
    }
  }
}

async function checkDatabase(client: pg.Client, manifest: Manifest): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select name from migrations order by name',
  );
  const here = rows.map(({ name }) => name);
  if (here.join() !== manifest.migrations.join()) {
    throw new Error(
      'The database has a newer schema than the backup. Restore into a database without tables.',
    );
  }
  for (const { name } of manifest.tables) {
    const found = await client.query(`select from ${client.escapeIdentifier(name)} limit 1`);
    if ((found.rowCount ?? 0) > 0) throw new Error(`The database is not empty: ${name} has rows.`);
  }
}

async function fillTable(
  client: pg.Client,
  { name, columns, rows }: Manifest['tables'][number],
  folder: string,
): Promise<void> {
  const list = columns.map((one) => client.escapeIdentifier(one)).join(', ');
  const stream = client.query(
    copyFrom(`copy ${client.escapeIdentifier(name)} (${list}) from stdin`),
  );
  await pipeline(createReadStream(tableFile(folder, name)), createGunzip(), stream);
  if (stream.rowCount !== rows)
    throw new Error(`The table ${name} received ${stream.rowCount} of ${rows} rows.`);
}
