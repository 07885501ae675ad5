// Loaded into a product before all else, `--import=…/fake-disk.ts?room=<file>`: its disk is as full as the file says.
import fs, { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const file = new URL(import.meta.url).searchParams.get('room');
if (file === null)
  throw new Error('fake-disk.ts needs to know which file says how full the disk is');

Object.assign(fs, {
  statfs: async () => {
    const [bytes, freeBytes] = (await readFile(file, 'utf8')).split(' ').map(Number);
    return { bsize: 1, blocks: bytes, bavail: freeBytes };
  },
});
syncBuiltinESMExports();
