import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@ridewatch/server/src/free-port.ts';
import { expect, it } from 'vitest';
import { signIn, startProduct, waitFor } from './product.ts';

const START = path.resolve(import.meta.dirname, '../scripts/start.mjs');

it('the server ends when what started it is killed, and can be started again', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ridewatch-start-'));
  // The embedded database runs as a user of its own when we are root.
  await chmod(dataDir, 0o755);
  const port = await findFreePort();
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const start = async () => {
    const launcher = spawn(process.execPath, [START, '--no-demo'], {
      env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    await waitFor(answers, 'the server to be ready');
    return launcher;
  };
  try {
    (await start()).kill('SIGKILL');
    await waitFor(async () => !(await answers()), 'the server to end');
    const again = await start();
    expect(await answers()).toBe(true);
    const ended = new Promise((resolve) => again.once('exit', resolve));
    again.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

it('an embedded database that is killed comes back, and the server with it', async () => {
  const product = await startProduct({ env: { LOG_LEVEL: 'error' } });
  try {
    const lines = await readFile(path.join(product.dataDir, 'postgres/postmaster.pid'), 'utf8');
    const isReady = async () => (await fetch(`${product.url}/readyz`)).ok;
    process.kill(Number(lines.split('\n')[0]), 'SIGKILL');
    await waitFor(async () => !(await isReady()), 'the server to notice');
    await waitFor(isReady, 'the server to be ready again');
    expect(await signIn(product.url, 'admin')).not.toBe('');
  } finally {
    await product.remove();
  }
});
