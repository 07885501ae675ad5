// A stranger's JSON or form in chunks of single bytes takes no more memory than one that comes at once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { MOST_DRIPPED_BYTES, sendDripped } from '../../test/dripped-bodies.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';

let server: TestServer;
let url: URL;
beforeAll(async () => {
  server = await createTestServer([addAuth]);
  url = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }));
});
afterAll(() => server.close());

it.each([
  ['/api/auth/password-link', 'application/json', ' '],
  ['/oauth/token', 'application/x-www-form-urlencoded', 'a'],
])('of many strangers to %s', async (call, type, byte) => {
  const path = new URL(call, url);
  const { answers, mostBytes } = await sendDripped(path, byte, `content-type: ${type}\r\n`);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(mostBytes).toBeLessThan(MOST_DRIPPED_BYTES);
});

it('and a body of no call is answered 404', async () => {
  const answer = await fetch(new URL('/api/none', url), {
    ...{ method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } },
  });
  expect(answer.status).toBe(404);
});
