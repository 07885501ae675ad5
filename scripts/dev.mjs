// npm run dev: the same as npm start, but the server starts anew when its files change, and the screens reload.
import path from 'node:path';
import { expectFreePort, run, runFleet, supervise, untilReady } from './product.mjs';
import { root, setUp } from './setup.mjs';

const SCREENS_URL = 'http://localhost:5173';

supervise(async () => {
  const { node, env: found } = setUp();
  await expectFreePort();
  const env = { ...process.env, ...found };
  const watched = ['--watch-path=server', '--watch-path=contract', '--watch-preserve-output'];
  run('server', node, [...watched, 'server/src/main.ts', '--demo'], { env });
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  run('screens', node, [vite, '--strictPort'], { env, cwd: path.join(root, 'web') });
  await untilReady();
  runFleet(node, env, SCREENS_URL);
});
