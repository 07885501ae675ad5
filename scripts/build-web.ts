import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, say, setUpAlone } from './setup.mjs';

const dist = path.join(root, 'web/dist');
const stampFile = path.join(dist, '.built-from');

/**
 * Builds the screens if their sources have changed.
 * @param node path of the Node to build with
 * @throws Error if building fails
 */
export function buildWeb(node: string): void {
  const state = hashOf(
    ['web/src', 'web/public', 'contract/src', 'docs/guide'],
    [
      ...['web/index.html', 'web/vite.config.ts', 'web/guide-pages.ts'],
      ...[
        'web/lean-contract.ts',
        'web/lean-page.ts',
        'web/offline-shell.ts',
        'web/service-worker.js',
      ],
      ...['unit-interface', 'egts', 'jt808', 'osmand', 'egts-out'].map((name) => `docs/${name}.md`),
      'package-lock.json',
    ],
  );
  const isDone = (): boolean => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === state;
  if (isDone()) return;
  setUpAlone(() => {
    // Another process may have done it meanwhile.
    if (!isDone()) build(node, state);
  });
}

function build(node: string, state: string): void {
  say('Building the screens …');
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const done = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], {
    cwd: path.join(root, 'web'),
    stdio: ['ignore', 'inherit', 'inherit'],
    // With a test runner's NODE_ENV the screens would contain development builds of libraries.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (done.status !== 0) throw new Error('Building the screens failed; see above.');
  writeFileSync(stampFile, state);
}

function hashOf(folders: readonly string[], files: readonly string[]): string {
  const inside = folders
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name)),
    );
  const hash = createHash('sha256');
  for (const file of [...inside, ...files.map((name) => path.join(root, name))].sort()) {
    hash.update(path.relative(root, file)).update('\0').update(readFileSync(file));
  }
  return hash.digest('hex');
}
