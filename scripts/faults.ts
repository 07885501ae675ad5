// npm run faults: the product while its database is killed, stopped or out of resources; see docs/operations.md.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { buildWeb } from './build-web.ts';
import { root, setUp } from './setup.mjs';

const { node, env } = setUp({ aside: true });
buildWeb(node);
const done = spawnSync(node, [path.join(root, 'e2e/faults/main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...env },
});
process.exit(done.status ?? 1);
