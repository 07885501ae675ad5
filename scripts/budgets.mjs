// Measures what a browser loads before sign-in, before the bus list, and for a bus's tabs (bytes after gzip).
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './setup.mjs';

const dist = path.join(root, 'web/dist');
const KB = 1000;

/**
 * Budgets by the chunk of a screen in vite's manifest, with everything that it loads before; with `beyond` only what
 * another chunk has not loaded.
 */
const budgets = [
  { name: 'sign-in', chunk: 'login-screen', kind: 'js', most: 140 * KB },
  { name: 'bus list', chunk: 'list', kind: 'js', most: 190 * KB },
  { name: 'bus list', chunk: 'list', kind: 'css', most: 20 * KB },
  { name: 'home', chunk: 'home-screen', kind: 'js', most: 190 * KB },
  { name: 'count tab', chunk: 'count-screen', beyond: 'list', kind: 'js', most: 51 * KB },
  // Includes the count tab's file with the timeline.
  { name: 'service tab', chunk: 'service-screen', beyond: 'list', kind: 'js', most: 59 * KB },
  { name: 'review queue', chunk: 'review-screen', beyond: 'list', kind: 'js', most: 55 * KB },
  { name: 'GPS tab', chunk: 'gps-screen', beyond: 'list', kind: 'js', most: 49 * KB },
  { name: 'route tab', chunk: 'route-screen', beyond: 'list', kind: 'js', most: 40 * KB },
  // Beside the page of a bus, whose calendar the filters have.
  { name: 'statistics', chunk: 'stats-screen', beyond: 'reports', kind: 'js', most: 24 * KB },
  { name: 'price table', chunk: 'prices-part', beyond: 'list', kind: 'js', most: 53 * KB },
  // With the page of a bus, whose calendar the filters have, before the rows.
  { name: 'administration', chunk: 'admin-screen', beyond: 'list', kind: 'js', most: 69 * KB },
  // With the page of a bus, whose calendar the forms have.
  { name: 'reports', chunk: 'reports', beyond: 'list', kind: 'js', most: 43 * KB },
  { name: 'day sheet', chunk: 'bus-report', beyond: 'count-screen', kind: 'js', most: 21 * KB },
  // Select, dialog and popover, shared by all screens.
  { name: 'controls', chunk: 'controls', beyond: 'list', kind: 'js', most: 60 * KB },
  { name: 'streams', chunk: 'hls', beyond: 'count-screen', kind: 'js', most: 120 * KB },
  { name: 'map and its worker', chunk: 'scene', beyond: 'gps-screen', kind: 'js', most: 450 * KB },
];

/**
 * Measures the built screens against their budgets.
 * @returns {{ name: string, kind: string, bytes: number, most: number }[]}
 * @throws Error if the screens are not built
 */
export function measureBudgets() {
  const manifestFile = path.join(dist, '.vite/manifest.json');
  if (!existsSync(manifestFile)) throw new Error('The screens are not built.');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  return budgets.map(({ name, chunk, beyond, kind, most }) => {
    const known = beyond === undefined ? new Set() : filesOf(manifest, beyond, kind);
    const files = [...filesOf(manifest, chunk, kind)].filter((file) => !known.has(file));
    const bytes = files.reduce(
      (sum, one) => sum + gzipSync(readFileSync(path.join(dist, one)), { level: 9 }).length,
      0,
    );
    return { name, kind, bytes, most };
  });
}

function filesOf(manifest, wanted, kind) {
  const chunks = new Set();
  const follow = (key) => {
    const chunk = manifest[key];
    if (chunk === undefined || chunks.has(chunk)) return;
    chunks.add(chunk);
    for (const next of chunk.imports ?? []) follow(next);
  };
  follow('index.html');
  const key = Object.keys(manifest).find((each) => manifest[each].name === wanted);
  if (key === undefined) throw new Error(`The build has no chunk '${wanted}'.`);
  follow(key);
  const scriptsOf = ({ file, assets }) =>
    [file, ...(assets ?? [])].filter((one) => one.endsWith('.js'));
  return new Set(
    [...chunks].flatMap((chunk) => (kind === 'js' ? scriptsOf(chunk) : (chunk.css ?? []))),
  );
}
