// Insiders alone read metrics, and what /readyz says of background work.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';

const TOKEN = 'a token of many letters';
let server: TestServer;
let behindProxy: TestServer;
beforeAll(async () => {
  server = await createTestServer([], { METRICS_TOKEN: TOKEN });
  behindProxy = await createTestServer([], { TRUST_PROXY: '10.0.0.1' });
});
afterAll(async () => {
  await server?.close();
  await behindProxy?.close();
});

interface Sender {
  readonly from: string;
  readonly headers?: Readonly<Record<string, string>>;
}
const ask = (url: string, { from, headers = {} }: Sender, { app } = server) =>
  app.inject({ url, remoteAddress: from, headers: { ...headers } });

describe('metrics', () => {
  it.each<[string, Sender, number]>([
    ['the machine itself', { from: '127.0.0.1' }, 200],
    ['the machine itself, by IPv6', { from: '::1' }, 200],
    ['the machine itself, by an IPv4 address in IPv6', { from: '::ffff:127.0.0.1' }, 200],
    ['another machine', { from: '192.0.2.7' }, 404],
    [
      'another machine, behind a proxy of this machine',
      { from: '127.0.0.1', headers: { 'x-forwarded-for': '192.0.2.7' } },
      404,
    ],
    ...['forwarded', 'x-real-ip', 'via'].map((name): [string, Sender, number] => [
      `another machine, behind a proxy that adds ${name}`,
      { from: '127.0.0.1', headers: { [name]: '192.0.2.7' } },
      404,
    ]),
    ['the token', { from: '192.0.2.7', headers: { authorization: `Bearer ${TOKEN}` } }, 200],
    ['another token', { from: '192.0.2.7', headers: { authorization: 'Bearer nothing' } }, 404],
  ])('are read by %s or not', async (_, sender, status) => {
    const answer = await ask('/metrics', sender);
    expect(answer.statusCode).toBe(status);
    expect(answer.body.includes('ridewatch_')).toBe(status === 200);
  });

  it('have one histogram of a call, whatever it answers', async () => {
    for (const from of ['192.0.2.7', '127.0.0.1', '192.0.2.7']) await ask('/metrics', { from });
    const { body } = await ask('/metrics', { from: '127.0.0.1' });
    const of = (text: string): string[] => body.split('\n').filter((line) => line.includes(text));
    const call = 'method="GET",path="/metrics"';
    expect(of(`seconds_count{${call}`)).toHaveLength(1);
    expect(of(`requests_total{${call}`).map((line) => line.match(/status="\d+"/)?.[0])).toEqual(
      expect.arrayContaining(['status="200"', 'status="404"']),
    );
  });

  it('are read by whom a trusted proxy names, if that is the machine itself', async () => {
    const by = (address: string) =>
      ask('/metrics', { from: '10.0.0.1', headers: { 'x-forwarded-for': address } }, behindProxy);
    expect((await by('127.0.0.1')).statusCode).toBe(200);
    expect((await by('192.0.2.7')).statusCode).toBe(404);
  });
});
