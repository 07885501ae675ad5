// npm run book: pictures of every screen in every state; see docs/screenshot-book.md.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { buildWeb } from './build-web.ts';
import { root, setUp } from './setup.mjs';

const { node, env } = setUp({ browser: 'whole' });
buildWeb(node);
const done = spawnSync(node, [path.join(root, 'e2e/book/main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...env },
});
process.exit(done.status ?? 1);
