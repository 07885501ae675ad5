// npm run bench: measures the product against minimal programs; see docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { buildWeb } from './build-web.ts';
import { root, setUp } from './setup.mjs';

const { node, env } = setUp({ browser: 'whole', aside: true });
buildWeb(node);
const done = spawnSync(node, [path.join(root, 'bench/main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...env },
});
process.exit(done.status ?? 1);
