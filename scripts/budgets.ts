// Measures what a browser loads before sign-in, before the bus list, and for a bus's tabs (bytes after gzip).
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './setup.mjs';

const dist = path.join(root, 'web/dist');
const KB = 1000;

interface Budget {
  readonly name: string;
  /** A file of the build. */
  readonly file?: string;
  readonly chunk?: string;
  readonly beyond?: string;
  readonly kind: 'js' | 'css';
  /** Bytes. */
  readonly most: number;
}

/**
 * Budgets by the chunk of a screen in vite's manifest, with everything that it loads before; with `beyond` only what
 * another chunk has not loaded. Each is about 15 % above what there was when it was set.
 */
const budgets: readonly Budget[] = [
  { name: 'sign-in', chunk: 'base', kind: 'js', most: 140 * KB },
  // Most users never see it.
  { name: 'second factor', chunk: 'code-field', beyond: 'base', kind: 'js', most: 2 * KB },
  { name: 'bus list', chunk: 'list', kind: 'js', most: 190 * KB },
  // It contains the styles of the bus list.
  { name: 'page', file: 'index.html', kind: 'css', most: 20 * KB },
  { name: 'home', chunk: 'home-screen', kind: 'js', most: 195 * KB },
  { name: 'count tab', chunk: 'count-screen', beyond: 'list', kind: 'js', most: 56 * KB },
  { name: 'service tab', chunk: 'service-screen', beyond: 'list', kind: 'js', most: 65 * KB },
  { name: 'review queue', chunk: 'review-screen', beyond: 'list', kind: 'js', most: 61 * KB },
  { name: 'GPS tab', chunk: 'gps-screen', beyond: 'list', kind: 'js', most: 80 * KB },
  { name: 'route tab', chunk: 'route-screen', beyond: 'list', kind: 'js', most: 30 * KB },
  { name: 'statistics', chunk: 'stats-screen', beyond: 'list', kind: 'js', most: 82 * KB },
  { name: 'price table', chunk: 'prices-part', beyond: 'list', kind: 'js', most: 43 * KB },
  { name: 'administration', chunk: 'admin-screen', beyond: 'list', kind: 'js', most: 63 * KB },
  { name: 'reports', chunk: 'reports-screen', beyond: 'list', kind: 'js', most: 26 * KB },
  { name: 'day sheet', chunk: 'bus-report', beyond: 'count-screen', kind: 'js', most: 15 * KB },
  // Select, dialog and popover, shared by all screens.
  { name: 'controls', chunk: 'controls', beyond: 'list', kind: 'js', most: 54 * KB },
  { name: 'streams', chunk: 'hls', beyond: 'count-screen', kind: 'js', most: 131 * KB },
  { name: 'map and its worker', chunk: 'scene', beyond: 'gps-screen', kind: 'js', most: 510 * KB },
];

/**
 * Measures the built screens against their budgets.
 * @throws Error if the screens are not built, or what has a budget of its own is loaded with something else
 */
export function measureBudgets(): (Pick<Budget, 'name' | 'kind' | 'most'> & { bytes: number })[] {
  const manifestFile = path.join(dist, '.vite/manifest.json');
  if (!existsSync(manifestFile)) throw new Error('The screens are not built.');
  const manifest: Manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  return budgets.map(({ name, file, chunk, beyond, kind, most }) => {
    const known = beyond === undefined ? new Set<string>() : filesOf(manifest, beyond, kind);
    const files = file
      ? [file]
      : [...filesOf(manifest, chunk ?? '', kind)].filter((each) => !known.has(each));
    if (files.length === 0) throw new Error(`${name} is loaded with '${beyond}', not by itself.`);
    const bytes = files.reduce(
      (sum, one) => sum + gzipSync(readFileSync(path.join(dist, one)), { level: 9 }).length,
      0,
    );
    return { name, kind, bytes, most };
  });
}

/** An entry of vite about a chunk. */
interface Chunk {
  readonly name?: string;
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

function filesOf(manifest: Manifest, wanted: string, kind: Budget['kind']): Set<string> {
  const chunks = new Set<Chunk>();
  const follow = (key: string): void => {
    const chunk = manifest[key];
    if (chunk === undefined || chunks.has(chunk)) return;
    chunks.add(chunk);
    for (const next of chunk.imports ?? []) follow(next);
  };
  follow('index.html');
  const key = Object.keys(manifest).find((each) => manifest[each]?.name === wanted);
  if (key === undefined) throw new Error(`The build has no chunk '${wanted}'.`);
  follow(key);
  const scriptsOf = ({ file, assets }: Chunk): string[] =>
    [file, ...(assets ?? [])].filter((one) => one.endsWith('.js'));
  return new Set(
    [...chunks].flatMap((chunk) => (kind === 'js' ? scriptsOf(chunk) : (chunk.css ?? []))),
  );
}
