import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusRoutes } from '../bus-routes/api.ts';
import { addBuses } from '../buses/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addLivePush } from '../live/push-api.ts';
import { addRoutes } from '../routes/api.ts';
import { addRouteFiles } from '../routes/files/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { formOf, multipart } from '../test/multipart.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addUploads } from '../video/uploads/uploads.ts';
import { findUnstorable, storableOf } from './storable.ts';

let server: TestServer;
let fleet: TestFleet;
let admin: Record<string, string>;
let unit: Record<string, string>;
beforeAll(async () => {
  const features = [addBuses, addBusRoutes, addRoutes, addRouteFiles, addIngest, addUploads];
  server = await createTestServer([addAuth, addLivePush, ...features]);
  fleet = await insertTestFleet(server.deps.database.db);
  admin = { authorization: `Bearer ${await server.signIn('admin')}` };
  unit = { authorization: `Bearer ${fleet.firstBus.credential}` };
});
afterAll(() => server.close());

const [NUL, HALF, PAIR] = ['\0', '\ud83d', '🚌'];

describe('a text that the database cannot keep', () => {
  const refusedIn = (field: string) => [400, 'invalid_request', field];
  const put = async (url: string, body: object, headers = admin) => {
    const answer = await server.app.inject({ method: 'PUT', url, headers, body });
    const { error, field } = answer.json<{ error?: string; field?: string }>();
    return [answer.statusCode, error, field];
  };
  const get = async (url: string, headers = admin) => {
    const answer = await server.app.inject({ url, headers });
    const { error, field } = answer.json<{ error?: string; field?: string }>();
    return [answer.statusCode, error, field];
  };

  it.each([NUL, HALF, `a${NUL}b`, `${PAIR}${HALF}`])(
    'is refused with its field: %j',
    async (text) => {
      const url = `/api/groups/${fleet.firstBus.routeId}`;
      expect(await put(url, { name: text })).toEqual(refusedIn('name'));
      // Also in a field that the call does not read.
      expect(await put(url, { name: 'A', other: [{ deep: text }] })).toEqual(
        refusedIn('other.0.deep'),
      );
      expect(await put(url, { name: 'A', other: { [text]: 1 } })).toEqual(refusedIn('other'));
    },
  );

  it('is refused in paths, queries and the names of live streams', async () => {
    expect(await get('/api/bus/info/1%00')).toEqual(refusedIn('busId'));
    expect(await get('/api/groups/search?name=a%00b')).toEqual(refusedIn('name'));
    expect(await put('/unit/v1/live/%00/live.m3u8', {}, unit)).toEqual(refusedIn('key'));
  });

  it('is refused in the fields of a form, and in the name of a file', async () => {
    const send = async (fields: Record<string, string>, name: string) => {
      const form = formOf({ clientId: String(fleet.first), ...fields });
      form.append('file', new File(['name,lat,lon\nA,55.7,37.6\nB,55.8,37.6'], name));
      const request = await multipart(form, admin);
      const answer = await server.app.inject({
        method: 'POST',
        url: '/api/groups/from-file',
        ...request,
      });
      const { error, field } = answer.json<{ error?: string; field?: string }>();
      return [answer.statusCode, error, field];
    };
    expect(await send({ name: `5${NUL}` }, 'a.csv')).toEqual(refusedIn('name'));
    expect(await send({}, `5${NUL}.csv`)).toEqual(refusedIn('file.name'));
    expect(await send({}, `${'5'.repeat(254)}${PAIR}.csv`)).toEqual([200, undefined, undefined]);
  });

  it('names no upload: there is none', async () => {
    for (const id of [NUL, `video/ab/${randomUUID()}${NUL}`, 'video/ab/../../x', '']) {
      const answer = await server.app.inject({
        method: 'DELETE',
        url: `/unit/v1/uploads/${Buffer.from(id).toString('base64url')}`,
        headers: { ...unit, 'tus-resumable': '1.0.0' },
      });
      expect([answer.statusCode, answer.json().error]).toEqual([404, 'not_found']);
    }
  });

  it('costs a batch the record whose field has it, and no other', async () => {
    const time = new Date(server.clock.nowMs()).toISOString();
    const event = { type: 'passenger', time, door: 1, direction: 'entered', passenger: 'adult' };
    const records = [
      { ...event, seq: 1 },
      { ...event, seq: 2, note: HALF },
      { ...event, seq: 3, [NUL]: 1 },
      { type: 'camera_state', seq: 4, time, camera: `door1${NUL}`, status: 'online' },
      NUL,
      { ...event, seq: 6 },
    ];
    const body = { stream: randomUUID(), sent_at: time, records };
    const answer = await server.app.inject({
      method: 'POST',
      url: '/unit/v1/batches',
      headers: unit,
      body,
    });
    expect(answer.json()).toMatchObject({
      // Fields that nobody knows are not stored.
      acknowledged: [
        [1, 3],
        [6, 6],
      ],
      refused: [
        { index: 3, seq: 4, reason: 'malformed', field: 'camera' },
        { index: 4, seq: null, reason: 'malformed' },
      ],
    });
  });
});

describe('the look for it', () => {
  it('finds it however deep', () => {
    let value: unknown = HALF;
    for (let depth = 0; depth < 200_000; depth += 1) value = [value];
    expect(findUnstorable(value)).toHaveLength(200_000);
  });

  it('agrees with the database on any text', async () => {
    const { pool } = server.deps.database;
    const keeps = async (text: string) => {
      const kept = await pool
        .query('select $1::jsonb, $2::text', [JSON.stringify([text]), text])
        .catch(() => undefined);
      return kept !== undefined;
    };
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 8 }), async (text) => {
        expect(findUnstorable({ text }) === undefined).toBe(await keeps(text));
        expect(await keeps(storableOf(text, 3))).toBe(true);
      }),
      { numRuns: 200, examples: [[NUL], [HALF], [PAIR], [`12${PAIR}`], ['\udc00\ud800']] },
    );
  });

  it('cuts no pair in two', () => {
    expect(storableOf(`12${PAIR}4`, 3)).toBe('12');
    expect(storableOf(`1${NUL}2${PAIR}`, 4)).toBe(`12${PAIR}`);
  });
});
