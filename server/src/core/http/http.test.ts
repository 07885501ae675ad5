import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { addBusDay } from '../../bus-day/api.ts';
import { addBuses } from '../../buses/api.ts';
import { insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { parseQuery } from './query-string.ts';

let server: TestServer;
let fleet: TestFleet;
let authorization: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addBuses, addBusDay]);
  fleet = await insertTestFleet(server.deps.database.db);
  authorization = `Bearer ${await server.signIn('admin')}`;
});
afterAll(() => server.close());

const ask = async (url: string) => {
  const answer = await server.app.inject({ url, headers: { authorization } });
  const { error, field } = answer.json<{ error?: string; field?: string }>();
  return [answer.statusCode, error, field];
};
const dayUrl = '/api/segments/day-segments';

describe('a query', () => {
  it('may name a key several times, or with brackets, for a list', () => {
    expect({ ...parseQuery('a=1&b=2&a=3&c[]=4&c%5B%5D=5&d=') }).toEqual({
      a: ['1', '3'],
      b: '2',
      c: ['4', '5'],
      d: '',
    });
  });

  it('of one key is read in a time that grows with its length, not with the square', () => {
    // Copying the list for each value takes minutes, until the test is given up.
    const values = 400_000;
    expect(parseQuery('a&'.repeat(values)).a).toHaveLength(values);
  });

  it('is read whatever it holds, and touches nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const value of Object.values(parseQuery(text))) {
          expect(typeof value === 'string' || Array.isArray(value)).toBe(true);
        }
      }),
    );
    parseQuery('__proto__=1&constructor=2&__proto__[]=3');
    expect(Object.hasOwn(Object.prototype, '0')).toBe(false);
  });

  it('is refused with its field where one value is wanted and several are given', async () => {
    const bus = fleet.firstBus.busId;
    const refused = (field: string) => [400, 'invalid_request', field];
    const date = 'date=2026-11-19';
    expect(await ask(`${dayUrl}?workplaceId=${bus}&workplaceId=${bus}&${date}`)).toEqual(
      refused('workplaceId'),
    );
    expect(await ask(`${dayUrl}?workplaceId[]=${bus}&${date}`)).toEqual(refused('workplaceId'));
    expect(await ask(`${dayUrl}?workplaceId=${bus}&${date}&${date}`)).toEqual(refused('date'));
    expect(await ask(`/api/bus/info/${bus}?date[]=2026-11-19`)).toEqual(refused('date'));
  });

  it('is refused with the missing field', async () => {
    const bus = fleet.firstBus.busId;
    expect(await ask(`${dayUrl}?workplaceId=${bus}`)).toEqual([400, 'invalid_request', 'date']);
    expect(await ask(dayUrl)).toEqual([400, 'invalid_request', 'workplaceId']);
    const camera = fleet.firstBus.cameras.door1;
    expect(await ask(`/api/period_list/${camera}?startdate=2026-11-19`)).toEqual([
      400,
      'invalid_request',
      'enddate',
    ]);
  });

  it('may hold keys that the call does not know', async () => {
    const bus = fleet.firstBus.busId;
    const known = `${dayUrl}?workplaceId=${bus}&date=2026-11-19`;
    expect(await ask(`${known}&colour=green&a[]=1&__proto__=2`)).toEqual([
      200,
      undefined,
      undefined,
    ]);
  });
});

describe('a path', () => {
  it.each(['..%2F..%2Fetc%2Fpasswd', '1%00', '1.0', '0x10'])(
    'with %s for a bus is refused with its field',
    async (id) => {
      expect(await ask(`/api/bus/info/${id}`)).toEqual([400, 'invalid_request', 'busId']);
    },
  );

  it('that cannot be read is refused', async () => {
    const answer = await server.app.inject('/api/bus/info/%zz');
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: 'invalid_request', message: expect.any(String), requestId: expect.any(String) },
    ]);
    expect(answer.headers['content-security-policy']).toBeDefined();
  });
});

describe('a login', () => {
  it('of 10,000 characters is refused with its field', async () => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: {
        authorization: `Basic ${Buffer.from('ridewatch-web:').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `grant_type=password&username=${'x'.repeat(10_000)}&password=p`,
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { error: 'invalid_request', field: 'username' },
    ]);
  });
});

describe('a body', () => {
  const client = `Basic ${Buffer.from('ridewatch-web:').toString('base64')}`;
  const post = async (url: string, type: string, body: string, by = client) => {
    const headers = { authorization: by, 'content-type': type };
    const answer = await server.app.inject({ method: 'POST', url, headers, body });
    return [answer.statusCode, answer.json<{ error: string }>().error];
  };
  const form = 'multipart/form-data; boundary=b';

  it('that a call does not take is refused before it is read', async () => {
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    // Announces a body and sends none of it.
    const announce = (path: string, by: string) =>
      new Promise((resolve, reject) => {
        const address = server.app.server.address() as AddressInfo;
        const headers = { authorization: by, 'content-type': form, 'content-length': 1_000_000 };
        const request = http.request({ port: address.port, path, method: 'POST', headers });
        request.on('error', reject).on('response', async (answer) => {
          const { error } = (await json(answer)) as { error: string };
          request.destroy();
          resolve([answer.statusCode, error]);
        });
        request.flushHeaders();
      });
    expect(await announce('/oauth/token', client)).toEqual([415, 'unsupported_media_type']);
    expect(await announce('/api/not/there', client)).toEqual([404, 'not_found']);
    expect(await announce('/api/auth/logout', client)).toEqual([401, 'unauthorized']);
    expect(await announce('/api/auth/logout', authorization)).toEqual([
      415,
      'unsupported_media_type',
    ]);
  });

  it('without a sign-in has at most 64 KiB', async () => {
    const fields = 'a=1&'.repeat(20_000);
    expect(await post('/oauth/token', 'application/x-www-form-urlencoded', fields)).toEqual([
      413,
      'too_large',
    ]);
  });

  it('of JSON has at most 64 levels', async () => {
    const put = async (body: string) => {
      const answer = await server.app.inject({
        method: 'PUT',
        url: '/api/auth/password',
        headers: { authorization, 'content-type': 'application/json' },
        body,
      });
      return answer.json<{ error: string; message: string }>();
    };
    expect(await put('['.repeat(500_000) + ']'.repeat(500_000))).toMatchObject({
      error: 'invalid_request',
      message: 'The body is JSON of at most 64 levels.',
    });
    expect(await put('[[')).toMatchObject({ message: 'The body is not valid JSON.' });
    expect(await put('{"__proto__":{}}')).toMatchObject({ message: 'The body is not valid JSON.' });
  });
});
