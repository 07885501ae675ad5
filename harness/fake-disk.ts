// Replaces `statfs` in a product, `--import=…/fake-disk.ts?room=<file>`: the file sets total and free bytes of the
// disk.
import fs, { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const file = new URL(import.meta.url).searchParams.get('room');
if (file === null)
  throw new Error('fake-disk.ts needs the parameter room, the file with total and free bytes.');

Object.assign(fs, {
  statfs: async () => {
    const [bytes, freeBytes] = (await readFile(file, 'utf8')).split(' ').map(Number);
    return { bsize: 1, blocks: bytes, bavail: freeBytes };
  },
});
syncBuiltinESMExports();
