// What a browser loads before it can sign in, and before the bus list stands there (bytes after gzip).
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './setup.mjs';

const dist = path.join(root, 'web/dist');
const KB = 1000;

/** What a screen is built into (the chunk's name in vite's manifest), and the most that may come before it. */
const budgets = [
  { name: 'sign-in', chunk: 'login-screen', kind: 'js', most: 125 * KB },
  { name: 'bus list', chunk: 'list', kind: 'js', most: 170 * KB },
  { name: 'bus list', chunk: 'list', kind: 'css', most: 20 * KB },
];

/**
 * Measures the built screens against their budgets.
 * @returns {{ name: string, kind: string, bytes: number, most: number }[]}
 * @throws Error when the screens are not built
 */
export function measureBudgets() {
  const manifestFile = path.join(dist, '.vite/manifest.json');
  if (!existsSync(manifestFile)) throw new Error('The screens are not built.');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  return budgets.map(({ name, chunk: wanted, kind, most }) => {
    const chunks = new Set();
    const follow = (key) => {
      const chunk = manifest[key];
      if (chunk === undefined || chunks.has(chunk)) return;
      chunks.add(chunk);
      for (const next of chunk.imports ?? []) follow(next);
    };
    follow('index.html');
    const key = Object.keys(manifest).find((each) => manifest[each].name === wanted);
    if (key === undefined) throw new Error(`The build has no chunk '${wanted}' (${name}).`);
    follow(key);
    const files = new Set(
      [...chunks].flatMap((chunk) => (kind === 'js' ? [chunk.file] : (chunk.css ?? []))),
    );
    const bytes = [...files].reduce(
      (sum, one) => sum + gzipSync(readFileSync(path.join(dist, one)), { level: 9 }).length,
      0,
    );
    return { name, kind, bytes, most };
  });
}
