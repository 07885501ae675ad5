import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../core/log.ts';
import { type KeptFile, keepBuilds } from './kept-builds.ts';

const fullDisk = async (file: string) => {
  await writeFile(file, '');
  throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
};

const log = createLog('silent');
const warn = vi.spyOn(log, 'warn');
const MIB = 1024 * 1024;

let top: string;
let folder: string;
beforeEach(async () => {
  warn.mockClear();
  top = await mkdtemp(path.join(tmpdir(), 'ridewatch-test-builds-'));
  folder = path.join(top, 'builds');
});
afterEach(() => rm(top, { recursive: true }));

type Contents = Readonly<Record<string, string | Buffer>>;
/** Starts with a build. @param files contents by name */
const start = (files: Contents, write?: typeof fullDisk) =>
  keepBuilds(
    folder,
    new Map(Object.entries(files).map(([name, text]) => [`/assets/${name}`, Buffer.from(text)])),
    log,
    write,
  );
/** A build of one file of its own and one that all builds have. */
const build = (n: number): Contents => ({ [`own-${n}.js`]: `own ${n}`, 'same.js': 'same' });
const namesOf = (kept: ReadonlyMap<string, KeptFile>) =>
  [...kept.keys()].map((address) => address.replace('/assets/', '')).sort();
const textOf = async (kept: ReadonlyMap<string, KeptFile>, name: string) =>
  String(await kept.get(`/assets/${name}`)?.read());
const stored = () => readdir(folder);

describe('builds in the data folder', () => {
  it('are the last five, whose equal files are stored once', async () => {
    for (let n = 1; n <= 5; n += 1) await start(build(n));
    expect(await stored()).toHaveLength(5 + 1 + 1);
    const kept = await start(build(6));
    expect(namesOf(kept)).toEqual([2, 3, 4, 5, 6].map((n) => `own-${n}.js`).concat('same.js'));
    expect(await textOf(kept, 'own-2.js')).toBe('own 2');
    expect(await stored()).toHaveLength(5 + 1 + 1);
  });

  it('are not counted again when the server restarts, also with a former build', async () => {
    for (const n of [1, 2, 3, 4, 5, 5, 5]) await start(build(n));
    expect(namesOf(await start(build(1)))).toHaveLength(5 + 1);
    // The first build is the newest now.
    expect(namesOf(await start(build(6)))).toEqual(
      [1, 3, 4, 5, 6].map((n) => `own-${n}.js`).concat('same.js'),
    );
  });

  it('take 100 MiB at most, the newest first', async () => {
    const large = (n: number) => ({
      [`own-${n}.js`]: Buffer.alloc(40 * MIB, n),
      'same.js': 'same',
    });
    for (let n = 1; n <= 2; n += 1) await start(large(n));
    expect(namesOf(await start(large(3)))).toEqual(['own-2.js', 'own-3.js', 'same.js']);
    expect(await stored()).toHaveLength(2 + 1 + 1);
    const huge = { 'huge.js': Buffer.alloc(101 * MIB) };
    expect(namesOf(await start(huge))).toEqual([]);
    expect(await stored()).toEqual(['builds.json']);
  });

  it('have the newest contents of an address', async () => {
    await start({ 'a.js': 'old' });
    expect(await textOf(await start({ 'a.js': 'new' }), 'a.js')).toBe('new');
  });

  it('stay when the screens are not built', async () => {
    await start(build(1));
    expect(namesOf(await start({}))).toEqual(['own-1.js', 'same.js']);
    expect(namesOf(await start(build(1)))).toEqual(['own-1.js', 'same.js']);
  });

  it('are whole after a crash while one was stored, and nothing of that is left', async () => {
    await start(build(1));
    await writeFile(path.join(folder, 'aaaaaaaaaaaaaaaaaaaaaa'), 'a file that no list names');
    await writeFile(path.join(folder, 'aaaaaaaaaaaaaaaaaaaaab.new'), 'half a fi');
    await writeFile(path.join(folder, 'builds.json.new'), '[{"/ass');
    const kept = await start(build(2));
    expect(namesOf(kept)).toEqual(['own-1.js', 'own-2.js', 'same.js']);
    expect(await stored()).toHaveLength(3 + 1);
    expect(warn).not.toHaveBeenCalled();
  });

  it('do not answer with damaged contents; the next start stores those of the present build again', async () => {
    await start(build(1));
    const list = JSON.parse(await readFile(path.join(folder, 'builds.json'), 'utf8'));
    const file = path.join(folder, list[0]['/assets/own-1.js']);
    await writeFile(file, 'own');
    const damaged = await start(build(2));
    await expect(damaged.get('/assets/own-1.js')?.read()).rejects.toMatchObject({ status: 404 });
    expect(await textOf(await start(build(1)), 'own-1.js')).toBe('own 1');
    await rm(file);
    const absent = await start(build(2));
    await expect(absent.get('/assets/own-1.js')?.read()).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    ['no list', 'nonsense'],
    ['addresses outside the hashed files', '[{"/assets/../x.js":"aaaaaaaaaaaaaaaaaaaaaa"}]'],
    ['names outside the folder', '[{"/assets/x.js":"../../../../etc/passwd"}]'],
  ])('begin anew, with a warning, when the list has %s', async (_what, text) => {
    await mkdir(folder);
    await writeFile(path.join(folder, 'builds.json'), text);
    expect(namesOf(await start(build(1)))).toEqual(['own-1.js', 'same.js']);
    expect(warn).toHaveBeenCalledOnce();
  });

  it('are not needed for a start: a folder that cannot be made is logged', async () => {
    await writeFile(folder, 'a file');
    expect(namesOf(await start(build(1)))).toEqual([]);
    expect(warn).toHaveBeenLastCalledWith(
      expect.objectContaining({ folder }),
      expect.stringContaining('not kept'),
    );
  });

  it('of before are served when the disk is full', async () => {
    await start(build(1));
    const kept = await start(build(2), fullDisk);
    expect(await textOf(kept, 'own-1.js')).toBe('own 1');
    expect(await stored()).toHaveLength(2 + 1);
    expect(warn).toHaveBeenCalledOnce();
    expect(namesOf(await start(build(3)))).toEqual(['own-1.js', 'own-3.js', 'same.js']);
  });
});
