import { randomUUID } from 'node:crypto';
import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { mediaFolder } from '../storage/open.ts';
import { insertTestFleet, type TestBus } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { createTusClient } from '../test/tus.ts';
import { announce, stateOf, uploadHeaders } from '../test/video.ts';
import { addUploads } from '../video/uploads/uploads.ts';
import { readConfig } from './config.ts';
import { fillOf, isFull, openDisk } from './disk.ts';
import { migrateJobs } from './jobs/jobs.ts';

const NOW = Date.parse('2026-11-20T20:00:00Z');

let server: TestServer;
let bus: TestBus;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addUploads]);
  await migrateJobs(server.deps.database.url);
  server.clock.set(NOW);
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  bus = (await insertTestFleet(server.deps.database.db)).firstBus;
});
afterAll(() => server.close());

const send = (records: readonly object[], stream: string) =>
  server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    body: { stream, sent_at: new Date(NOW).toISOString(), records },
  });

const baseOf = ({ app }: TestServer): string => {
  const { port } = app.server.address() as { port: number };
  return `http://127.0.0.1:${port}`;
};

describe('a full disk', () => {
  it('takes nothing that it would have to acknowledge, and loses nothing that it has', async () => {
    const { db } = server.deps.database;
    const announced = { stream: randomUUID(), seq: 0 };
    const start = new Date(NOW - 3_600_000).toISOString();
    const end = new Date(NOW - 3_580_000).toISOString();
    const segment = {
      type: 'segment',
      time: end,
      camera: 'door1',
      start_time: start,
      end_time: end,
      video: 'queued',
    };
    expect((await send([{ seq: 0, ...segment }], announced.stream)).statusCode).toBe(200);
    const { port } = server.app.server.address() as { port: number };
    const url = `http://127.0.0.1:${port}/unit/v1/uploads`;
    const headers = uploadHeaders(bus.credential, announced, 10);
    const full = { totalBytes: 100_000_000, freeBytes: 1_000_000 };

    server.disk.set(full);
    const refused = await fetch(url, { method: 'POST', headers });
    expect([refused.status, await refused.json()]).toMatchObject([
      507,
      { error: 'insufficient_storage' },
    ]);
    const batch = await send(
      [{ seq: 1, ...segment, video: 'queued', time: end }],
      announced.stream,
    );
    expect([batch.statusCode, batch.headers['retry-after']]).toEqual([503, '60']);

    server.disk.set({ ...full, freeBytes: 50_000_000 });
    const created = await fetch(url, { method: 'POST', headers });
    expect(created.status).toBe(201);
    const location = `http://127.0.0.1:${port}${created.headers.get('location')}`;
    const unit = { authorization: `Bearer ${bus.credential}`, 'tus-resumable': '1.0.0' };
    const putChunk = (offset: number, bytes: string): Promise<Response> =>
      fetch(location, {
        method: 'PATCH',
        headers: {
          ...unit,
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
        },
        body: bytes,
      });
    expect((await putChunk(0, '01234')).status).toBe(204);
    server.disk.set(full);
    expect((await putChunk(5, '56789')).status).toBe(507);
    const head = await fetch(location, { method: 'HEAD', headers: unit });
    expect(head.headers.get('upload-offset')).toBe('5');
    server.disk.set({ ...full, freeBytes: 50_000_000 });
    expect((await putChunk(5, '56789')).status).toBe(204);
    const { id } = await db
      .selectFrom('segments')
      .select('id')
      .where('unit_id', '=', bus.unitId)
      .executeTakeFirstOrThrow();
    expect((await stateOf(server, { fragmentId: id, ...announced })).status).toBe('LOADING');
  });

  describe('that nobody has looked at yet', () => {
    const begin = async (length = 10) => {
      const announced = await announce(server, bus, NOW - 7_200_000 + 60_000 * begun);
      begun += 1;
      const tus = createTusClient(baseOf(server), bus.credential);
      const location = await tus.open(announced, length);
      expect((await tus.patch(location, 0, Buffer.from('01234'))).status).toBe(204);
      const id = Buffer.from(location.split('/').at(-1) ?? '', 'base64url').toString();
      return { tus, announced, location, file: path.join(mediaFolder(server.deps.config), id) };
    };
    let begun = 0;

    it.each([
      ['a small chunk', 5],
      ['one that is being sent when the room ends', 16_000_000],
    ])(
      'refuses %s as one that is known to be full, and keeps what has come',
      async (_name, bytes) => {
        const { tus, location, file } = await begin(5 + bytes);
        await rename(file, `${file}-aside`);
        // Every write to this device fails with ENOSPC.
        await symlink('/dev/full', file);
        // The device reads as an empty file.
        const refused = await tus.patch(location, 0, Buffer.alloc(bytes));
        expect([refused.status, await refused.json()]).toMatchObject([
          507,
          { error: 'insufficient_storage' },
        ]);
        await rename(`${file}-aside`, file);
        expect(await tus.offsetOf(location)).toBe(5);
        expect((await tus.patch(location, 5, Buffer.alloc(bytes))).status).toBe(204);
      },
    );

    it('does not lose an upload to a new one that finds no place', async () => {
      const { tus, announced, location } = await begin();
      const folder = path.join(mediaFolder(server.deps.config), 'video');
      await rename(folder, `${folder}-aside`);
      await writeFile(folder, 'not a folder');
      const refused = await tus.create(announced, 10);
      expect(refused.status).toBe(500);
      await rm(folder);
      await rename(`${folder}-aside`, folder);
      expect(await tus.offsetOf(location)).toBe(5);
    });
  });

  it('is full from the share on that the operator sets', async () => {
    const limits = (environment: Record<string, string>) => readConfig(environment).diskLimits;
    expect(limits({})).toEqual({ crowded: 0.85, full: 0.98 });
    const chosen = limits({ DISK_CROWDED: '60', DISK_FULL: '70' });
    expect(chosen).toEqual({ crowded: 0.6, full: 0.7 });
    const at = (freeBytes: number) => ({
      machine: 'test-machine',
      limits: chosen,
      read: async () => ({ totalBytes: 100, freeBytes }),
    });
    expect(await isFull(at(31))).toBe(false);
    expect(await isFull(at(30))).toBe(true);
  });

  it.each([
    [{ DISK_FULL: '80' }, /^DISK_FULL is invalid: must not be less than DISK_CROWDED$/],
    [{ DISK_CROWDED: '9' }, /^DISK_CROWDED is invalid: .*50 to 100$/],
    [{ DISK_FULL: '101' }, /^DISK_FULL is invalid: .*50 to 100$/],
    [{ DISK_FULL: '0.98' }, /^DISK_FULL is invalid: .*50 to 100$/],
  ])('is not described by %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });

  it('is the one on which the data lie', async () => {
    const room = await openDisk(server.deps.config.dataDir, server.deps.config.diskLimits).read();
    expect(room.totalBytes).toBeGreaterThan(0);
    expect(fillOf(room)).toBeGreaterThan(0);
    expect(fillOf(room)).toBeLessThan(1);
  });
});
