// npm run e2e: builds the screens and runs the stories in a browser; arguments go to Vitest.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { buildWeb } from './build-web.ts';
import { root, setUp } from './setup.mjs';

const { node, env } = setUp({ browser: process.env.TEST_TIER === 'long' ? 'whole' : 'packaged' });
buildWeb(node);
const done = spawnSync(
  node,
  [
    path.join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    'e2e',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } },
);
process.exit(done.status ?? 1);
