import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../core/config.ts';
import { openFolderStorage } from './folder.ts';
import { findStorage, openStorage } from './open.ts';
import { openS3Storage } from './s3.ts';
import type { Storage } from './storage.ts';

let folder: string;
let s3: S3rver;
let endpoint: string;
const stores: Record<'folder' | 's3', Storage | undefined> = { folder: undefined, s3: undefined };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-storage-'));
  s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: path.join(folder, 's3'),
    configureBuckets: [{ name: 'media', configs: [] }],
  });
  // Node dates answers with the machine's time, and the client adopts it for its signatures; the store checks by the
  // test's clock.
  s3.middleware.unshift(async (context, next) => {
    context.set('Date', new Date().toUTCString());
    await next();
  });
  endpoint = `http://127.0.0.1:${(await s3.run()).port}`;
  stores.folder = await openFolderStorage(path.join(folder, 'plain'));
  stores.s3 = openS3Storage({
    bucket: 'media',
    endpoint,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  });
});

afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each(['folder', 's3'] as const)('media in a %s', (kind) => {
  const store = (): Storage => {
    const found = stores[kind];
    if (found === undefined) throw new Error('not opened');
    return found;
  };
  const read = async (key: string, range?: { from: number; to: number }): Promise<string> =>
    (await buffer(await store().get(key, range))).toString();

  it('gives back what was put, whole and in ranges', async () => {
    const stored = await store().put('a/one.mp4', Readable.from([Buffer.from('0123456789')]));
    expect(stored.sizeBytes).toBe(10);
    expect(await read('a/one.mp4')).toBe('0123456789');
    expect(await read('a/one.mp4', { from: 2, to: 4 })).toBe('234');
    expect(await store().stat('a/one.mp4')).toEqual({ sizeBytes: 10 });
  });

  it('sends a part of a file, of any length, and ends what it is sent to', async () => {
    const bytes = randomBytes(700_000);
    await store().put('a/sent.mp4', Readable.from([bytes]));
    for (const range of [
      { from: 3, to: 5 },
      { from: 1000, to: 699_999 },
    ]) {
      const received: Buffer[] = [];
      const target = new Writable({
        write: (chunk: Buffer, _coding, done) => {
          received.push(Buffer.from(chunk));
          done();
        },
      });
      const part = await store().open('a/sent.mp4', range);
      await part.sendTo(target);
      await finished(target);
      const wanted = bytes.subarray(range.from, range.to + 1);
      expect(Buffer.concat(received).equals(wanted)).toBe(true);
    }
  });

  it('gives up when what it sends to is closed', async () => {
    await store().put('a/cut.mp4', Readable.from([randomBytes(700_000)]));
    const part = await store().open('a/cut.mp4', { from: 0, to: 699_999 });
    const target = new Writable({ write: () => target.destroy() });
    const sending = part.sendTo(target);
    await expect(sending).rejects.toMatchObject({
      code: expect.stringMatching(/^(ERR_STREAM_PREMATURE_CLOSE|ECONNRESET)$/),
    });
  });

  it('replaces a file under the same key', async () => {
    await store().put('a/two.mp4', Readable.from([Buffer.from('old')]));
    await store().put('a/two.mp4', Readable.from([Buffer.from('newer')]));
    expect(await read('a/two.mp4')).toBe('newer');
  });

  it('sends what lies under a key now, also a moment after it sent something else', async () => {
    const sent = async (): Promise<string> => {
      const target = new PassThrough();
      const [text] = await Promise.all([
        buffer(target),
        store()
          .open('a/again.mp4', { from: 0, to: 2 })
          .then((part) => part.sendTo(target)),
      ]);
      return text.toString();
    };
    await store().put('a/again.mp4', Readable.from([Buffer.from('old')]));
    expect([await sent(), await sent()]).toEqual(['old', 'old']);
    await store().put('a/again.mp4', Readable.from([Buffer.from('new')]));
    expect(await sent()).toBe('new');
    await store().delete('a/again.mp4');
    await expect(sent()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('shows nothing of a file whose stream broke', async () => {
    const broken = new PassThrough();
    const putting = store().put('a/broken.mp4', broken);
    broken.write(Buffer.from('half'));
    broken.destroy(new Error('link lost'));
    await expect(putting).rejects.toThrow('link lost');
    expect(await store().stat('a/broken.mp4')).toBeUndefined();
  });

  it('says not found for what is not there, and deletes it without complaint', async () => {
    await expect(store().get('a/none.mp4')).rejects.toMatchObject({ code: 'not_found' });
    await expect(store().open('a/none.mp4', { from: 0, to: 0 })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await store().stat('a/none.mp4')).toBeUndefined();
    await expect(store().delete('a/none.mp4')).resolves.toBeUndefined();
  });

  it('lists keys under a prefix in order, with their sizes', async () => {
    await store().put('list/b.mp4', Readable.from([Buffer.from('bb')]));
    await store().put('list/a.mp4', Readable.from([Buffer.from('a')]));
    const found = [];
    for await (const item of store().list('list/')) found.push(item);
    expect(found).toEqual([
      { key: 'list/a.mp4', sizeBytes: 1 },
      { key: 'list/b.mp4', sizeBytes: 2 },
    ]);
  });

  it.each(['../secret', '/etc/passwd', 'a//b', 'a/../b', '.hidden', ''])(
    'refuses %j as a key',
    async (key) => {
      await expect(store().get(key)).rejects.toThrow('not a storage key');
    },
  );
});

describe.each([
  ['a start', openStorage],
  ['a backup', findStorage],
])('%s with S3', (_name, open) => {
  const openWith = (change: Readonly<Record<string, string>>): Promise<Storage> =>
    open(
      readConfig({
        ...{ S3_BUCKET: 'media', S3_ENDPOINT: endpoint },
        ...{ S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER', ...change },
      }),
    );

  it('goes on when the bucket is there', async () => {
    await expect(openWith({})).resolves.toBeDefined();
  });

  it.each([
    ['a bucket that is not there', { S3_BUCKET: 'nowhere' }, /bucket nowhere of .*has no bucket/],
    ['a store that is not there', { S3_ENDPOINT: 'http://127.0.0.1:1' }, /127\.0\.0\.1:1.*REFUSED/],
  ])('refuses %s, and names the variables', async (_what, change, sentence) => {
    const opening = openWith({ ...change });
    await expect(opening).rejects.toThrow(sentence);
    await expect(opening).rejects.toThrow('(S3_BUCKET, S3_ENDPOINT)');
  });
});

describe('a media folder', () => {
  const configOf = (name: string) => readConfig({ DATA_DIR: path.join(folder, name) });
  const rightsOf = async (media: string): Promise<number> => (await stat(media)).mode & 0o777;

  it('may be entered by its owner alone, also when a former version made it', async () => {
    for (const name of ['new', 'former']) {
      const media = path.join(folder, name, 'media');
      if (name === 'former') await mkdir(media, { recursive: true, mode: 0o755 });
      await openStorage(configOf(name));
      expect(await rightsOf(media), name).toBe(0o700);
    }
  });

  it('stays open to a group that the operator has let in', async () => {
    const media = path.join(folder, 'shared/media');
    await mkdir(media, { recursive: true });
    await chmod(media, 0o750);
    await openStorage(configOf('shared'));
    expect(await rightsOf(media)).toBe(0o750);
  });

  it('is not made by a backup, which names it instead', async () => {
    const media = path.join(folder, 'none/media');
    await expect(findStorage(configOf('none'))).rejects.toThrow(
      `There is no media folder ${media}`,
    );
    await expect(stat(media)).rejects.toThrow('ENOENT');
  });

  it('keeps what a server is writing while a backup reads it', async () => {
    await openStorage(configOf('running'));
    const incoming = path.join(folder, 'running/media/.incoming/half');
    await writeFile(incoming, 'half');
    await findStorage(configOf('running'));
    expect(await readFile(incoming, 'utf8')).toBe('half');
  });
});
