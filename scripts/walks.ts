// Follows the walks of docs/architecture.md by the imports of the files that they name.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readSources, resolveImport } from './imports.ts';
import { packages } from './rooms.ts';

/** A walk: its name, how many files it says it has, and its text. */
const WALK = /^\*\*(.+)\*\* \((\d+)(?: more)? files\)\.([\s\S]*?)(?=\n\n|$(?![\s\S]))/gm;
const NAMED = /`((?:contract|server|unit|web)\/[\w./-]+\.tsx?)`/g;

/** The imports of each file. */
type Imports = ReadonlyMap<string, readonly string[]>;

interface Walk {
  readonly name: string;
  /** How many files it says it has. */
  readonly said: number;
  readonly files: readonly string[];
  readonly between: readonly string[];
  readonly borders: readonly string[];
}

/**
 * Finds out how a walk goes from file to file. A step follows imports from a file that was passed to the next one, or
 * from the next one to a file that was passed; else it crosses a border: a wire, the database, a queue.
 * @param files that the walk names, in its order
 * @param imports of each file
 * @returns `between`: the files that the walk passes without naming them; `borders`: the files behind borders
 */
export function followWalk(
  files: readonly string[],
  imports: Imports,
): Pick<Walk, 'between' | 'borders'> {
  const between = new Set<string>();
  const borders: string[] = [];
  for (const [at, file] of files.entries()) {
    if (at === 0) continue;
    const passed = files.slice(0, at);
    const down = pathTo(passed, (one) => one === file, imports);
    const up = pathTo([file], (one) => passed.includes(one), imports);
    const path = shorter(down, up);
    if (path === undefined) borders.push(file);
    else for (const one of path.slice(1, -1)) if (!files.includes(one)) between.add(one);
  }
  return { between: [...between], borders };
}

const shorter = (a: string[] | undefined, b: string[] | undefined): string[] | undefined =>
  a === undefined || (b && b.length < a.length) ? b : a;

// The shortest path of imports from one of several files, breadth first.
function pathTo(
  starts: readonly string[],
  isEnd: (file: string) => boolean,
  imports: Imports,
): string[] | undefined {
  const from = new Map<string, string | undefined>(starts.map((start) => [start, undefined]));
  const queue = [...starts];
  for (const file of queue) {
    for (const next of imports.get(file) ?? []) {
      if (from.has(next)) continue;
      from.set(next, file);
      if (isEnd(next)) return trace(next, from);
      queue.push(next);
    }
  }
  return undefined;
}

function trace(end: string, from: ReadonlyMap<string, string | undefined>): string[] {
  const path: string[] = [];
  for (let file: string | undefined = end; file !== undefined; file = from.get(file))
    path.unshift(file);
  return path;
}

/**
 * Follows the walks of the architecture.
 * @param root the project's root
 */
export function readWalks(root: string): Walk[] {
  const sources = packages.flatMap(({ path: folder }) => readSources(root, folder));
  const imports = new Map(
    sources.map(({ path: from, imports: all }) => [
      from,
      all.flatMap((specifier) => resolveImport(from, specifier, packages) ?? []),
    ]),
  );
  const text = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');
  return [...text.matchAll(WALK)].map(([, name = '', said, walk = '']) => {
    const files = [...new Set([...walk.matchAll(NAMED)].map(([, named = '']) => named))];
    return { name, said: Number(said), files, ...followWalk(files, imports) };
  });
}

/**
 * @returns one sentence for each walk that miscounts its files or passes one unnamed
 */
export function findWrongWalks(walks: readonly Walk[]): string[] {
  return walks.flatMap(({ name, said, files, between }) => [
    ...(files.length === said ? [] : [`'${name}' names ${files.length} files and says ${said}.`]),
    ...between.map((file) => `'${name}' passes ${file} and does not name it.`),
  ]);
}
