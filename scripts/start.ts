// npm start: all set-up, then the product with its simulated fleet (without it by --no-demo). Further arguments go to
// the server. Ctrl-C stops both; when one ends, the other is stopped.
import { buildWeb } from './build-web.ts';
import {
  expectFreePort,
  makeDemoMap,
  run,
  runFleet,
  supervise,
  untilReady,
  url,
} from './product.ts';
import { SERVER_FLAGS } from './server-flags.ts';
import { say } from './setup.mjs';

supervise(async () => {
  const args = process.argv.slice(2);
  const demo = !args.includes('--no-demo');
  buildWeb(process.execPath);
  await expectFreePort();
  // The terminal shows the product's progress, not every request.
  const env = { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL || 'warn' };
  if (demo) Object.assign(env, makeDemoMap(env));
  const rest = args.filter((argument) => argument !== '--no-demo');
  run('server', [...SERVER_FLAGS, 'server/src/main.ts', ...(demo ? ['--demo'] : []), ...rest], {
    env,
  });
  await untilReady();
  if (demo) runFleet(env, url);
  else say(`Ridewatch runs at ${url}`);
});
