import { connect } from 'node:net';
import { setNewsMedia } from '@ridewatch/contract/admin-news';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAdministration } from '../../administration/api.ts';
import { addAuth } from '../../auth/api.ts';
import { insertTestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';

const BODY = Buffer.alloc(50 * 1024 * 1024, 'x');

let server: TestServer;
let url: string;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  await insertTestFleet(server.deps.database.db);
  url = `${await server.app.listen({ port: 0, host: '127.0.0.1' })}/api/admin/news/1/media`;
  headers = {
    authorization: `Bearer ${await server.signIn('admin')}`,
    'content-type': 'multipart/form-data; boundary=limit',
  };
});
afterAll(() => server.close());

/** Writes the whole body before it reads a byte, as simple clients do. */
function send(more: Record<string, string | number>): Promise<{ status: number; text: string }> {
  const { hostname, port, pathname } = new URL(url);
  const lines = Object.entries({ host: hostname, ...headers, ...more }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.pause().setEncoding('utf8').on('error', reject);
    let heard = '';
    socket.on('data', (part: string) => {
      heard += part;
      const [head = '', text = ''] = heard.split('\r\n\r\n');
      if (!text.endsWith('}')) return;
      socket.destroy();
      resolve({ status: Number(head.split(' ')[1]), text });
    });
    socket.write(`PUT ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
    socket.write(BODY, (error) => (error ? reject(error) : socket.resume()));
  });
}

describe('a body of 50 MB for a call that takes 10 MiB', () => {
  it.each([
    ['with its length', { 'content-length': BODY.length }],
    ['on a connection of its own', { 'content-length': BODY.length, connection: 'close' }],
  ])('%s gets a readable answer that names the limit', async (_, more) => {
    const { status, text } = await send(more);
    expect(status).toBe(413);
    expect(JSON.parse(text)).toMatchObject({
      error: 'too_large',
      message: expect.stringContaining(String(setNewsMedia.maxBodyBytes)),
    });
  });

  it('is answered to fetch', async () => {
    const answer = await fetch(url, { method: 'PUT', headers, body: BODY });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ error: 'too_large' });
  });
});
