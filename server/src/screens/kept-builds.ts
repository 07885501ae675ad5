// The hashed files of the last builds, so that a page that was opened before an update still finds code that it has not
// loaded yet. A folder holds each file once, named by its contents, and a list of the builds. Files and list are
// written under a temporary name and renamed, the list last: after a crash the former list holds, and the next start
// removes what neither it nor the present build names. A reader of a file compares it with its name.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { hasErrorCode, notFound } from '../core/errors.ts';
import { tagOf } from '../core/http/cached-answer.ts';
import type { Log } from '../core/log.ts';

/** Most builds, with the present one. */
const MOST_BUILDS = 5;
/** Most bytes of all files together: a build has 5.5 MB. */
const MOST_BYTES = 100 * 1024 * 1024;
const LIST = 'builds.json';

/** The name of a file in the folder, by its address. A name is the ETag without quotes. */
const Build = z.record(
  z.string().check(z.regex(/^\/assets\/[\w.-]+$/)),
  z.string().check(z.regex(/^[\w-]{22}$/)),
);
type Build = z.infer<typeof Build>;

type Write = (file: string, contents: Buffer | string) => Promise<void>;

/** A file of a former build. */
export interface KeptFile {
  readonly etag: string;
  /** Reads the contents. @throws AppError `not_found` if they are gone or damaged */
  readonly read: () => Promise<Buffer>;
}

/**
 * Stores the hashed files of the present build, and removes those of builds beyond the limits. Never throws: a failure
 * is logged, and the builds that were stored before stay.
 * @param folder belongs to this process
 * @param present contents by address; empty: the screens are not built
 * @param write writes a file
 * @returns the files of all stored builds by address; of equal addresses the newest
 */
export async function keepBuilds(
  folder: string,
  present: ReadonlyMap<string, Buffer>,
  log: Log,
  write: Write = writeFile,
): Promise<ReadonlyMap<string, KeptFile>> {
  const former = await readList(folder, log);
  try {
    return filesOf(folder, await storeBuild(folder, present, former, write));
  } catch (error) {
    log.warn({ err: error, folder }, 'the build is not kept: open pages may break at an update');
    return filesOf(folder, former);
  }
}

async function readList(folder: string, log: Log): Promise<readonly Build[]> {
  try {
    const text = await readFile(path.join(folder, LIST), 'utf8');
    return z.parse(z.array(Build), JSON.parse(text));
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) {
      log.warn({ err: error, folder }, 'the list of kept builds cannot be read');
    }
    return [];
  }
}

async function storeBuild(
  folder: string,
  present: ReadonlyMap<string, Buffer>,
  former: readonly Build[],
  write: Write,
): Promise<readonly Build[]> {
  await mkdir(folder, { recursive: true });
  const sizes = await readSizes(folder);
  const contents = new Map<string, Buffer>();
  const build: Record<string, string> = {};
  for (const [address, plain] of present) {
    const name = tagOf(plain).slice(1, -1);
    contents.set(name, plain);
    build[address] = name;
  }
  const others = former.filter((one) => !isDeepStrictEqual(one, build));
  const newestFirst = present.size === 0 ? others : [build, ...others];
  const sizeOf = (name: string) => contents.get(name)?.length ?? sizes.get(name) ?? 0;
  const builds = withinLimits(newestFirst, sizeOf);
  const named = new Set([LIST, ...builds.flatMap((one) => Object.values(one))]);
  // First, because the disk may be full.
  for (const name of sizes.keys()) {
    if (!named.has(name)) await rm(path.join(folder, name), { recursive: true });
  }
  for (const [name, plain] of contents) {
    // A power cut may leave a file without its contents.
    const isStored = sizes.get(name) === plain.length;
    if (named.has(name) && !isStored) await writeWhole(path.join(folder, name), plain, write);
  }
  if (!isDeepStrictEqual(builds, former)) {
    await writeWhole(path.join(folder, LIST), JSON.stringify(builds), write);
  }
  return builds;
}

async function readSizes(folder: string): Promise<Map<string, number>> {
  const names = await readdir(folder);
  const read = names.map(async (name): Promise<[string, number]> => {
    const { size } = await stat(path.join(folder, name));
    return [name, size];
  });
  return new Map(await Promise.all(read));
}

/** The newest builds that fit; a file that several of them have counts once. */
function withinLimits(
  newestFirst: readonly Build[],
  sizeOf: (name: string) => number,
): readonly Build[] {
  const counted = new Set<string>();
  let bytes = 0;
  const most = newestFirst.slice(0, MOST_BUILDS);
  const beyond = most.findIndex((build) => {
    for (const name of Object.values(build)) {
      if (!counted.has(name)) bytes += sizeOf(name);
      counted.add(name);
    }
    return bytes > MOST_BYTES;
  });
  return beyond === -1 ? most : most.slice(0, beyond);
}

async function writeWhole(file: string, contents: Buffer | string, write: Write): Promise<void> {
  const temporary = `${file}.new`;
  try {
    await write(temporary, contents);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function filesOf(folder: string, newestFirst: readonly Build[]): Map<string, KeptFile> {
  const files = new Map<string, KeptFile>();
  for (const build of newestFirst.toReversed()) {
    for (const [address, name] of Object.entries(build)) {
      const etag = `"${name}"`;
      files.set(address, { etag, read: () => readKept(path.join(folder, name), etag) });
    }
  }
  return files;
}

async function readKept(file: string, etag: string): Promise<Buffer> {
  const read = await readFile(file).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) throw notFound();
    throw error;
  });
  if (tagOf(read) !== etag) throw notFound();
  return read;
}
