// A copy of the product's code in a folder of its own, in which a test deploys a newer build of the screens.
import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
/** Files of the build that name others. */
const NAMING = /\.(js|css|html|json|webmanifest)$/;

export interface Release {
  /** The folder to start the server from. */
  readonly root: string;
  /**
   * Replaces the build by one that has another name, and so has every hashed file; no file of the build before is left.
   * The server has to be restarted.
   */
  deployNewer(): Promise<void>;
  remove(): Promise<void>;
}

/** Copies the server and the built screens. */
export async function createRelease(): Promise<Release> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-release-'));
  const dist = path.join(folder, 'web/dist');
  await cp(path.join(root, 'server'), path.join(folder, 'server'), { recursive: true });
  await cp(path.join(root, 'web/dist'), dist, { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return {
    root: folder,
    deployNewer: () => renameAssets(dist),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

// A build differs from the one before in its hashes; its files find each other by name only.
async function renameAssets(dist: string): Promise<void> {
  const assets = path.join(dist, 'assets');
  const newer = new Map<string, string>();
  for (const name of await readdir(assets)) {
    const { name: stem, ext } = path.parse(name);
    newer.set(name, `${stem}2${ext}`);
    await rename(path.join(assets, name), path.join(assets, `${stem}2${ext}`));
  }
  const worker = await readFile(path.join(dist, 'sw.js'), 'utf8');
  const [, build] = /BUILD = "(\w+)"/.exec(worker) ?? [];
  if (build === undefined) throw new Error('The worker does not name its build.');
  newer.set(build, `${build}2`);
  const old = new RegExp([...newer.keys()].join('|').replaceAll('.', '\\.'), 'g');
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !NAMING.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text.replace(old, (name) => newer.get(name) ?? name),
    );
  }
}
