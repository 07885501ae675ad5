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
    const fastestMs = (values: number): number => {
      const text = 'a&'.repeat(values);
      const tookMs = Array.from({ length: 30 }, () => {
        const startMs = performance.now();
        expect(parseQuery(text).a).toHaveLength(values);
        return performance.now() - startMs;
      });
      // The fastest run, because the machine may be busy.
      return Math.min(...tookMs);
    };
    fastestMs(16_000);
    // Copying the list for each value took 64 times as long for eight times the values.
    expect(fastestMs(16_000) / fastestMs(2_000)).toBeLessThan(30);
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
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n';
  const form = 'multipart/form-data; boundary=b';
  const megabyte = `${part.repeat(16_000)}--b--\r\n`;

  it('that a call does not take is refused before it is read', async () => {
    const startMs = performance.now();
    const admin = authorization;
    expect(await post('/oauth/token', form, megabyte)).toEqual([415, 'unsupported_media_type']);
    expect(await post('/api/not/there', form, megabyte)).toEqual([404, 'not_found']);
    expect(await post('/api/auth/logout', form, megabyte)).toEqual([401, 'unauthorized']);
    expect(await post('/api/auth/logout', form, megabyte, admin)).toEqual([
      415,
      'unsupported_media_type',
    ]);
    // The platform's parser took two seconds for each.
    expect(performance.now() - startMs).toBeLessThan(1500);
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
