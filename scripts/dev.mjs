// npm run dev: the same as npm start, but the server starts anew when its files change, and the screens reload.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root, setUp } from './setup.mjs';

const { node, env } = setUp();
const environment = { ...process.env, ...env };
const port = process.env.PORT || '8080';
const dataDir = path.resolve(process.env.DATA_DIR || './data');
const options = { cwd: root, env: environment, stdio: 'inherit' };
const children = [
  spawn(
    node,
    ['--watch-path=server/src', '--watch-path=contract/src', 'server/src/main.ts', '--demo'],
    options,
  ),
  spawn(node, [path.join(root, 'node_modules/vite/bin/vite.js')], {
    ...options,
    cwd: path.join(root, 'web'),
  }),
  spawn(
    node,
    [
      'unit/src/simulated/main.ts',
      '--demo',
      '--url',
      `http://127.0.0.1:${port}`,
      '--data',
      dataDir,
    ],
    options,
  ),
];
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of children) child.kill('SIGTERM');
  });
}
