import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PublicSettings } from '@ridewatch/contract/auth';
import { MAP_RANGE_BYTES } from '@ridewatch/contract/map-file';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { StartError } from '../core/errors.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addSettings } from './api.ts';
import { openMapFile } from './map-file.ts';

/** Its header, with what it says of compression and tiles, and some tiles. */
const archive = Buffer.alloc(200, 7);
archive.fill(0, 0, 127);
archive.write('PMTiles\u0003', 'latin1');
archive.set([1, 2, 2, 1], 96);
/** Larger than one answer. */
const large = Buffer.concat([archive, Buffer.alloc(MAP_RANGE_BYTES + 1000, 7)]);
const tileUrl = 'https://tiles.example/{z}/{x}/{y}.png';

let folder: string;
let server: TestServer;
let token: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-test-map-'));
  const MAP_FILE = await fileOf('town.pmtiles', large);
  server = await createTestServer([addAuth, addSettings], { MAP_FILE, TILE_URL: tileUrl });
  await insertTestFleet(server.deps.database.db);
  token = await server.signIn('first');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

async function fileOf(name: string, bytes: Buffer): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, bytes);
  return file;
}
const settings = async () => (await server.app.inject('/api/settings')).json<PublicSettings>();
async function ask(range: string | undefined, how: { version?: string; token?: string } = {}) {
  const version = how.version ?? (await settings()).map_version;
  const headers = { authorization: `Bearer ${how.token ?? token}` };
  return server.app.inject({
    url: `/api/map/${version}`,
    headers: range === undefined ? headers : { ...headers, range },
  });
}

describe('the map file', () => {
  it('goes before the tile server', async () => {
    expect(await settings()).toMatchObject({
      map_version: expect.stringMatching(/^[\w-]{16}$/),
      tile_url: null,
    });
    expect((await ask('bytes=0-1')).headers['content-security-policy']).not.toContain('tiles.');
  });

  it('is read in ranges, which a browser keeps, because another file has another address', async () => {
    const answer = await ask('bytes=0-126');
    expect(answer.statusCode).toBe(206);
    expect(answer.rawPayload).toEqual(archive.subarray(0, 127));
    expect(answer.headers).toMatchObject({
      'content-range': `bytes 0-126/${large.length}`,
      'content-type': 'application/vnd.pmtiles',
      'cache-control': 'private, max-age=604800, immutable',
    });
    const other = changed(150, 8);
    const files = [
      await openMapFile(await fileOf('other.pmtiles', other)),
      await openMapFile(await fileOf('copy.pmtiles', large)),
    ];
    const { map_version } = await settings();
    expect(files[0]?.version).not.toBe(map_version);
    expect(files[1]?.version).toBe(map_version);
    for (const file of files) await file.close();
  });

  it('sends a part of a range that is too long, and no whole file', async () => {
    const long = await ask('bytes=10-');
    expect(long.rawPayload).toHaveLength(MAP_RANGE_BYTES);
    expect(long.headers['content-range']).toBe(`bytes 10-${MAP_RANGE_BYTES + 9}/${large.length}`);
    const whole = await ask(undefined);
    expect([whole.statusCode, whole.json()]).toMatchObject([400, { field: 'Range' }]);
    const beyond = await ask(`bytes=${large.length}-`);
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([
      416,
      `bytes */${large.length}`,
    ]);
  });

  it.each([
    ['another one of the same length', Buffer.alloc(large.length, 9)],
    ['a shorter one', archive],
  ])('is not mixed with %s that is copied over it', async (name, bytes) => {
    const opened = await openMapFile(await fileOf(name, large));
    expect(await opened.read({ from: 0, to: 9 })).toEqual(large.subarray(0, 10));
    const file = await fileOf(name, bytes);
    // As if it was copied later than in the same moment of the disk's clock.
    await utimes(file, new Date(), new Date(Date.UTC(2027, 0, 1)));
    expect(await opened.read({ from: 0, to: 9 })).toBeUndefined();
    expect(await opened.read({ from: 5000, to: 6000 })).toBeUndefined();
    await opened.close();
  });

  it('answers 404 until the next start if another one was copied over it', async () => {
    const copied = await fileOf('copied.pmtiles', large);
    const other = await createTestServer([addAuth, addSettings], { MAP_FILE: copied });
    try {
      await insertTestFleet(other.deps.database.db);
      const authorization = `Bearer ${await other.signIn('first')}`;
      const { map_version } = (await other.app.inject('/api/settings')).json<PublicSettings>();
      const url = `/api/map/${map_version}`;
      await writeFile(copied, archive);
      const headers = { authorization, range: 'bytes=0-9' };
      expect((await other.app.inject({ url, headers })).statusCode).toBe(404);
    } finally {
      await other.close();
    }
  });

  it('is for signed-in users, and for pages that know this file', async () => {
    expect((await ask('bytes=0-9', { token: 'none' })).statusCode).toBe(401);
    expect((await ask('bytes=0-9', { version: 'another' })).statusCode).toBe(404);
  });

  it.each([
    ['is not there', undefined, /MAP_FILE is invalid: .* cannot be opened/],
    ['is another kind of file', Buffer.from('<html>'), /no PMTiles archive of version 3/],
    ['is cut off', archive.subarray(0, 100), /no PMTiles archive of version 3/],
    ['has pictures instead of vectors', changed(99, 2), /no vector tiles/],
    ['is compressed so that browsers cannot read it', changed(98, 3), /not compressed with gzip/],
  ])('stops the start with a sentence if it %s', async (name, bytes, sentence) => {
    const file = path.join(folder, name);
    if (bytes !== undefined) await writeFile(file, bytes);
    const opened = openMapFile(file);
    await expect(opened).rejects.toThrow(StartError);
    await expect(opened).rejects.toThrow(sentence);
  });
});

function changed(at: number, value: number): Buffer {
  const bytes = Buffer.from(archive);
  bytes[at] = value;
  return bytes;
}
