import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { writeBackup } from './backup.ts';
import { MANIFEST_FILE, type Manifest, tableFile } from './manifest.ts';
import { restoreBackup } from './restore.ts';

let source: TestServer;
let folder: string;
let manifest: Manifest;

beforeAll(async () => {
  source = await createTestServer([addIngest]);
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-backup-'));
  const { firstBus } = await insertTestFleet(source.deps.database.db);
  const time = '2026-11-20T05:00:00.000Z';
  const answer = await source.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${firstBus.credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      stream: randomUUID(),
      sent_at: new Date(source.clock.nowMs()).toISOString(),
      records: [
        { type: 'position', seq: 1, time, latitude: 55.7, longitude: 37.6 },
        { type: 'passenger', seq: 2, time, door: 1, direction: 'entered', passenger: 'child' },
      ],
    }),
  });
  expect(answer.json()).toMatchObject({ acknowledged: [[1, 2]] });
  await source.deps.storage.put('video/ab/clip', Readable.from([Buffer.from('bytes of a video')]));
  manifest = await writeBackup(source.deps.database.url, source.deps.storage, folder, Date.now());
});
afterAll(async () => {
  await source.close();
  await rm(folder, { recursive: true, force: true });
});

const rowsOf = async (server: TestServer, name: string): Promise<unknown> => {
  const { rows } = await sql`select to_jsonb(t) as row from ${sql.table(name)} as t
    order by to_jsonb(t)::text`.execute(server.deps.database.db);
  return rows;
};

async function withEmpty(work: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await createTestServer([]);
  try {
    // The server has created its signing key; an installation to restore into has none.
    await sql`truncate signing_keys`.execute(server.deps.database.db);
    await work(server);
  } finally {
    await server.close();
  }
}

async function withManifest(changed: Partial<Manifest>, work: () => Promise<void>): Promise<void> {
  const file = path.join(folder, MANIFEST_FILE);
  const whole = await readFile(file);
  await writeFile(file, JSON.stringify({ ...manifest, ...changed }));
  await work();
  await writeFile(file, whole);
}

describe('a backup', () => {
  it('brings back every row of every table, partitions and media included', async () => {
    await withEmpty(async (target) => {
      await restoreBackup(target.deps.database.url, target.deps.storage, folder);
      expect(manifest.partitions.length).toBeGreaterThan(1);
      for (const { name } of manifest.tables) {
        expect(await rowsOf(target, name), name).toEqual(await rowsOf(source, name));
      }
      const clip = await buffer(await target.deps.storage.get('video/ab/clip'));
      expect(clip.toString()).toBe('bytes of a video');
      // New ids continue after the restored ones.
      const { rows } = await sql<{ id: number }>`
        insert into clients (name, created_at) values ('Новый', ${new Date()}) returning id`.execute(
        target.deps.database.db,
      );
      expect(rows[0]?.id).toBeGreaterThan(8);
    });
  });

  it('is not restored over anything', async () => {
    await expect(
      restoreBackup(source.deps.database.url, source.deps.storage, folder),
    ).rejects.toThrow('not empty');
  });

  it('with a damaged byte is refused before anything is written', async () => {
    const file = tableFile(folder, 'users');
    const whole = await readFile(file);
    const damaged = Buffer.from(whole);
    damaged[20] = (damaged[20] ?? 0) ^ 1;
    await writeFile(file, damaged);
    await withEmpty(async (target) => {
      await expect(
        restoreBackup(target.deps.database.url, target.deps.storage, folder),
      ).rejects.toThrow('users.copy.gz is damaged');
      expect(await rowsOf(target, 'clients')).toEqual([]);
    });
    await writeFile(file, whole);
  });

  it('of a newer version is refused before anything is written', async () => {
    await withManifest({ migrations: [...manifest.migrations, '9999-later.sql'] }, async () => {
      await withEmpty(async (target) => {
        await expect(
          restoreBackup(target.deps.database.url, target.deps.storage, folder),
        ).rejects.toThrow('The backup is from a newer version');
        expect(await rowsOf(target, 'clients')).toEqual([]);
      });
    });
  });

  it('of an older version is not restored into a database that a newer one has opened', async () => {
    await withManifest({ migrations: manifest.migrations.slice(0, -1) }, async () => {
      await withEmpty(async (target) => {
        await expect(
          restoreBackup(target.deps.database.url, target.deps.storage, folder),
        ).rejects.toThrow('The database has a newer schema than the backup');
        expect(await rowsOf(target, 'clients')).toEqual([]);
      });
    });
  });

  it('is not written into a folder that holds something', async () => {
    await expect(
      writeBackup(source.deps.database.url, source.deps.storage, folder, Date.now()),
    ).rejects.toThrow('not empty');
  });

  it('of a database without rows is refused, and leaves no folder', async () => {
    await withEmpty(async ({ deps }) => {
      const target = path.join(folder, 'of-nothing');
      await expect(
        writeBackup(deps.database.url, deps.storage, target, Date.now()),
      ).rejects.toThrow('The database is empty');
      await expect(stat(target)).rejects.toThrow('ENOENT');
    });
  });

  it('that fails half way leaves nothing, so that it can be repeated', async () => {
    const { database, storage } = source.deps;
    const broken = { ...storage, get: () => Promise.reject(new Error('the disk is lost')) };
    const target = await mkdtemp(path.join(tmpdir(), 'ridewatch-half-'));
    for (const place of [target, path.join(target, 'new')]) {
      await expect(writeBackup(database.url, broken, place, Date.now())).rejects.toThrow('lost');
      expect(await readdir(target)).toEqual([]);
    }
    await writeBackup(database.url, storage, target, Date.now());
    await rm(target, { recursive: true });
  });
});
