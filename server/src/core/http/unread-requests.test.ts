import { connect } from 'node:net';
import { ErrorBody } from '@ridewatch/contract/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';

let server: TestServer;
let port: number;
beforeAll(async () => {
  server = await createTestServer([]);
  port = Number(new URL(await server.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => server.close());

/** Sends bytes and reads until the server closes the connection. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let heard = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      heard += part;
    });
    socket.once('error', reject);
    socket.once('end', () => {
      socket.end();
      resolve(heard);
    });
  });
}

describe('what cannot be read as a request', () => {
  it.each([
    [
      'a head of 200 kB',
      `GET /${'a'.repeat(200_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['no HTTP', 'EHLO a\r\n\r\n', 400, 'invalid_request'],
    [
      'an expectation that nobody knows',
      'POST /unit/v1/batches HTTP/1.1\r\nhost: a\r\nexpect: 200-ok\r\ncontent-length: 2\r\n\r\n{}',
      417,
      'expectation_failed',
    ],
    ['NUL in a header', 'GET / HTTP/1.1\r\nhost: a\r\nb: \0\r\n\r\n', 400, 'invalid_request'],
  ])('is refused in the form of all errors: %s', async (_name, text, status, code) => {
    const [head = '', body = ''] = (await send(text)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain("\r\ncontent-security-policy: default-src 'self'");
    expect(head.toLowerCase()).toContain('\r\nconnection: close');
    expect(ErrorBody.parse(JSON.parse(body))).toMatchObject({ error: code });
  });
});
