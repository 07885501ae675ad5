// npm run dev: like npm start, but the server restarts when its files change, and the screens reload.
import path from 'node:path';
import { expectFreePort, makeDemoMap, run, runFleet, supervise, untilReady } from './product.mjs';
import { SERVER_FLAGS } from './server-flags.mjs';
import { root, setUp } from './setup.mjs';

const SCREENS_URL = 'http://localhost:5173';

supervise(async () => {
  const { node, env: found } = setUp();
  await expectFreePort();
  // The fleet's requests would fill the log.
  const env = { ...process.env, ...found, LOG_LEVEL: process.env.LOG_LEVEL || 'warn' };
  Object.assign(env, makeDemoMap(node, env));
  const watched = [
    ...SERVER_FLAGS,
    '--watch',
    '--watch-preserve-output',
    'server/src/main.ts',
    '--demo',
  ];
  run('server', node, watched, { env });
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  run('screens', node, [vite, '--strictPort'], { env, cwd: path.join(root, 'web') });
  await untilReady();
  runFleet(node, env, SCREENS_URL);
});
