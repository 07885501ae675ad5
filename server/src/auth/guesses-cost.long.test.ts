// Measures what guesses cost, in the processor time of a process of its own.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertTestFleet } from '../test/fleet.ts';
import { createTestServer, PASSWORD, type TestServer } from '../test/test-deps.ts';
import { typePassword } from '../test/type-password.ts';
import { addAuth } from './api.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer([addAuth]);
  await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

const signIn = (username: string, password: string, address: string) =>
  typePassword(server.app, { username, password, address });

it('an unknown login takes the way of a known one', async () => {
  // The same statements and one hash, measured in CPU time, which a busy machine does not change.
  const spent = { operator: 0, nobody: 0 };
  for (let turn = 0; turn < 8; turn += 1) {
    for (const login of ['operator', 'nobody'] as const) {
      const before = process.cpuUsage();
      expect(await signIn(login, 'wrong', '10.2.0.1')).toMatchObject({ status: 400 });
      const { user, system } = process.cpuUsage(before);
      spent[login] += user + system;
    }
  }
  const [less = 0, more = 0] = [spent.operator, spent.nobody].sort((a, b) => a - b);
  expect(more / less).toBeLessThan(2);
});

it('the work on hashes leaves the server responsive', async () => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const answers = await Promise.all(
    Array.from({ length: 150 }, (_, index) => signIn('operator', PASSWORD, `10.3.0.${index}`)),
  );
  delay.disable();
  expect(answers.map(({ status }) => status)).toContain(200);
  expect(delay.percentile(99) / 1e6).toBeLessThan(200);
});
