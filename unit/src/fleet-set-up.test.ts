// An administrator's calls to a server whose database is away for a moment.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { signIn } from './fleet-set-up.ts';

/** Starts a server that answers the first calls with these statuses, and signs everybody in after them. */
async function serverOf(statuses: readonly number[]) {
  let calls = 0;
  const server = createServer((_, response) => {
    const status = statuses[calls] ?? 200;
    calls += 1;
    const headers = {
      'content-type': 'application/json',
      ...(status === 503 && { 'retry-after': '0' }),
    };
    const tokens = { access_token: 'a', refresh_token: 'b', token_type: 'bearer', expires_in: 900 };
    response
      .writeHead(status, headers)
      .end(JSON.stringify(status === 200 ? tokens : { message: 'Away.' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const login = { url: `http://127.0.0.1:${port}`, login: 'admin', password: 'secret' };
  return { signIn: () => signIn(login), calls: () => calls };
}

it('a server that says when to come again is asked again', async () => {
  const server = await serverOf([503, 503]);
  await server.signIn();
  expect(server.calls()).toBe(3);
});

it('a server that stays away, or refuses, is not asked for ever', async () => {
  const away = await serverOf(Array<number>(50).fill(503));
  await expect(away.signIn()).rejects.toThrow("Signing in as 'admin' failed: Away.");
  expect(away.calls()).toBe(12);
  const refusing = await serverOf([401]);
  await expect(refusing.signIn()).rejects.toThrow('Away.');
  expect(refusing.calls()).toBe(1);
});
