// npm run dev: like npm start, but the server restarts when its files change, and the screens reload.
import path from 'node:path';
import { expectFreePort, makeDemoMap, run, runFleet, supervise, untilReady } from './product.ts';
import { SERVER_FLAGS } from './server-flags.ts';
import { root } from './setup.mjs';

const SCREENS_URL = 'http://localhost:5173';

supervise(async () => {
  await expectFreePort();
  // The fleet's requests would fill the log.
  const env = { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL || 'warn' };
  Object.assign(env, makeDemoMap(env));
  const watched = [
    ...SERVER_FLAGS,
    '--watch',
    '--watch-preserve-output',
    'server/src/main.ts',
    '--demo',
  ];
  run('server', watched, { env });
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  run('screens', [vite, '--strictPort'], { env, cwd: path.join(root, 'web') });
  await untilReady();
  runFleet(env, SCREENS_URL);
});
