// A folder as the store. A file is written under a temporary name beside its place, synced and renamed, so that after a
// crash the file is complete or absent. The next start removes leftovers.
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, opendir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasErrorCode } from '../core/errors.ts';
import { createChunkSender } from './chunk-sender.ts';
import { checkKey } from './key.ts';
import { createOpenFiles, openFile } from './open-files.ts';
import type { ByteRange, Storage, StoredFile } from './storage.ts';

const INCOMING = '.incoming';
/** Read and write size. The streams' default of 64 KiB takes a third longer for a file of gigabytes. */
const CHUNK_BYTES = 256 * 1024;
/** Rights of a folder that only its owner may enter. */
const OWNER_ONLY = 0o700;
/** Rights of users who are neither the owner nor in its group. */
const OF_OTHERS = 0o007;

/** Opens a folder as a store, creating it if necessary, for one process. Other users of the machine may not enter it. */
export async function openFolderStorage(root: string): Promise<Storage> {
  const incoming = path.join(root, INCOMING);
  await mkdir(root, { recursive: true, mode: OWNER_ONLY });
  await closeToOthers(root);
  await rm(incoming, { recursive: true, force: true });
  await mkdir(incoming, { recursive: true });
  return shareFolderStorage(root);
}

/** A folder that this process has opened; files being written in it stay. */
export function shareFolderStorage(root: string): Storage {
  const incoming = path.join(root, INCOMING);
  const sender = createChunkSender();
  const files = createOpenFiles();
  const fileOf = (key: string): string => path.join(root, checkKey(key));
  return {
    put: async (key, body) => {
      const stored = await putFile(fileOf(key), path.join(incoming, randomUUID()), body);
      files.forget(fileOf(key));
      return stored;
    },
    get: async (key, range) => readFile(fileOf(key), range),
    open: async (key, range) => {
      const file = await files.lend(fileOf(key));
      return {
        sendTo: (target) => sender.send(file.handle, range, target).finally(file.giveBack),
      };
    },
    stat: async (key) => statFile(fileOf(key)),
    delete: async (key) => {
      await rm(fileOf(key), { force: true });
      files.forget(fileOf(key));
    },
    list: (prefix) => listFiles(root, prefix),
  };
}

// Former versions made folders that every user of the machine could read. A right of the group is the operator's wish.
async function closeToOthers(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder);
  const isOurs = uid === process.getuid?.();
  if (isOurs && (mode & OF_OTHERS) !== 0) await chmod(folder, OWNER_ONLY);
}

async function putFile(file: string, temporary: string, body: Readable): Promise<StoredFile> {
  try {
    await pipeline(body, createWriteStream(temporary, { flush: true, highWaterMark: CHUNK_BYTES }));
    await mkdir(path.dirname(file), { recursive: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const { size } = await stat(file);
  return { sizeBytes: size };
}

async function readFile(file: string, range: ByteRange | undefined): Promise<Readable> {
  return createReadStream(file, {
    fd: await openFile(file),
    highWaterMark: CHUNK_BYTES,
    ...(range === undefined ? {} : { start: range.from, end: range.to }),
  });
}

async function statFile(file: string): Promise<StoredFile | undefined> {
  try {
    const found = await stat(file);
    return found.isFile() ? { sizeBytes: found.size } : undefined;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

async function* listFiles(
  root: string,
  prefix: string,
): AsyncIterable<{ key: string; sizeBytes: number }> {
  const keys: string[] = [];
  for await (const entry of await opendir(root, { recursive: true })) {
    if (!entry.isFile()) continue;
    const key = path.relative(root, path.join(entry.parentPath, entry.name));
    if (!key.startsWith(INCOMING) && key.startsWith(prefix)) keys.push(key);
  }
  for (const key of keys.sort()) {
    const { size } = await stat(path.join(root, key));
    yield { key, sizeBytes: size };
  }
}
