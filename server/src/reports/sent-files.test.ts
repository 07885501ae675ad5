import { once } from 'node:events';
import { Writable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import type { WrittenFile } from './file-thread.ts';
import { createSentFiles } from './sent-files.ts';

async function* parts() {
  for (;;) yield Buffer.alloc(64 * 1024);
}
const written = (close = vi.fn()): WrittenFile => ({ close, [Symbol.asyncIterator]: parts });
const open = async () => written();

it('a process sends four files at once, two of one user, and tells the others when to come back', async () => {
  const files = createSentFiles();
  const refused = { code: 'unavailable', retryAfterS: 10 };
  const own = [await files.begin(1, open), await files.begin(1, open)];
  await expect(files.begin(1, open)).rejects.toMatchObject(refused);
  for (const userId of [2, 2]) await files.begin(userId, open);
  await expect(files.begin(5, open)).rejects.toMatchObject(refused);
  own[0]?.destroy();
  await once(own[0] as (typeof own)[0], 'close');
  await expect(files.begin(5, open)).resolves.toBeDefined();
});

it('a file that cannot be opened takes no place', async () => {
  const files = createSentFiles();
  for (let n = 0; n < 10; n += 1) {
    const failing = files.begin(1, async () => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
  }
});

it('a file ends when its reader takes nothing any more, and lets its rows go', async () => {
  const close = vi.fn();
  const files = createSentFiles(10);
  const file = await files.begin(1, async () => written(close));
  // It never asks for more.
  file.pipe(new Writable({ write: () => undefined }));
  const [error] = await once(file, 'error');
  expect(String(error)).toContain('Nobody read the file');
  await vi.waitFor(() => expect(close).toHaveBeenCalled());
});
