import { once } from 'node:events';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import type { Viewer } from '../core/viewer.ts';
import type { WrittenFile } from './file-thread.ts';
import { createSentFiles } from './sent-files.ts';

const PART = Buffer.alloc(64 * 1024);
async function* parts(count: number) {
  for (let n = 0; n < count; n += 1) yield PART;
}
const written = (count = Number.POSITIVE_INFINITY, close = vi.fn()): WrittenFile => ({
  close,
  [Symbol.asyncIterator]: () => parts(count),
});
const large = async () => written();
const small = async () => written(2);
const viewerOf = (clientId: number | null, userId = 100): Viewer => ({
  ...{
    userId,
    sessionId: '',
    login: '',
    role: 'CUSTOMER',
    clientId,
    canEdit: true,
    viewedBy: null,
  },
  clientIds: clientId === null ? 'all' : [clientId],
});
const refused = { code: 'unavailable', retryAfterS: 10 };

it('a customer has two large files at once, however many of its users ask, and leaves places to others', async () => {
  const files = createSentFiles();
  const own = [
    await files.begin(viewerOf(1, 11), large),
    await files.begin(viewerOf(1, 12), large),
  ];
  const closed = vi.fn();
  const third = async () => written(undefined, closed);
  await expect(files.begin(viewerOf(1, 13), third)).rejects.toMatchObject(refused);
  expect(closed).toHaveBeenCalled();
  for (const client of [2, 2, 3, 3]) await files.begin(viewerOf(client), large);
  await expect(files.begin(viewerOf(4), large)).rejects.toMatchObject(refused);
  own[0]?.destroy();
  await once(own[0] as (typeof own)[0], 'close');
  await expect(files.begin(viewerOf(4), large)).resolves.toBeDefined();
});

it('two administrators have two large files each', async () => {
  const files = createSentFiles();
  for (const userId of [1, 1, 2, 2]) await files.begin(viewerOf(null, userId), large);
  await expect(files.begin(viewerOf(null, 1), large)).rejects.toMatchObject(refused);
});

it('a small file is sent although all places are taken by readers of others', async () => {
  const files = createSentFiles();
  for (const client of [1, 1, 2, 2, 3, 3]) await files.begin(viewerOf(client), large);
  for (const client of [1, 4]) {
    const file = await files.begin(viewerOf(client), small);
    expect(await buffer(file)).toHaveLength(2 * PART.length);
  }
});

it('a large file is sent whole', async () => {
  const files = createSentFiles();
  const file = await files.begin(viewerOf(1), async () => written(40));
  expect(await buffer(file)).toHaveLength(40 * PART.length);
});

it('a file that cannot be opened takes no place', async () => {
  const files = createSentFiles();
  for (let n = 0; n < 10; n += 1) {
    const failing = files.begin(viewerOf(1), async () => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
  }
});

it('a file ends when its reader takes nothing any more, and lets its rows go', async () => {
  const close = vi.fn();
  const files = createSentFiles(10);
  const file = await files.begin(viewerOf(1), async () => written(undefined, close));
  // It never asks for more.
  file.pipe(new Writable({ write: () => undefined }));
  const [error] = await once(file, 'error');
  expect(String(error)).toContain('The reader took');
  await vi.waitFor(() => expect(close).toHaveBeenCalled());
});

it('a file ends when its reader takes too little, and not when the rows come late', async () => {
  const files = createSentFiles(20);
  async function* late() {
    yield* parts(10);
    await new Promise((resolve) => setTimeout(resolve, 60));
    yield PART;
  }
  const fast = await files.begin(viewerOf(1), async () => ({
    ...written(),
    [Symbol.asyncIterator]: late,
  }));
  expect(await buffer(fast)).toHaveLength(11 * PART.length);
  const slow = await files.begin(viewerOf(1), large);
  const [error] = await new Promise<[unknown]>((resolve) => {
    slow.once('error', (cause) => resolve([cause]));
    // A part in three seconds.
    slow.pipe(
      new Writable({ write: (_part, _encoding, done) => void setTimeout(done, 3000).unref() }),
    );
  });
  expect(String(error)).toContain('The reader took');
});
