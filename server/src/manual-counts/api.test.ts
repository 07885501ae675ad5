import type { DayFragments, Fragment } from '@ridewatch/contract/fragments';
import type { ReviewItem } from '@ridewatch/contract/review';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { listWaitingDays } from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { announce } from '../test/video.ts';
import { addReview } from './api.ts';

const START_MS = Date.UTC(2026, 10, 20, 5);
const NONE = { adult: null, kids: null };
let server: TestServer;
let fleet: TestFleet;
let minutes = 0;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addBusDay, addReview]);
  server.clock.set(START_MS + 3 * 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const login of ['admin', 'operator', 'first', 'second']) {
    tokens[login] = await server.signIn(login);
  }
});
afterAll(() => server.close());

/** A counted fragment with a number of people in view. */
async function fragment(people: number, bus: TestBus = fleet.firstBus): Promise<number> {
  minutes += 1;
  const { fragmentId } = await announce(server, bus, START_MS + minutes * 60_000, 'kept');
  await server.deps.database.db
    .updateTable('segments')
    .set({ status: 'PROCESSED', max_objects_count: people })
    .where('id', '=', fragmentId)
    .execute();
  return fragmentId;
}

const ask = (login: string, url: string, body?: object) =>
  server.app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers: { authorization: `Bearer ${tokens[login]}` },
    ...(body === undefined ? {} : { body }),
  });
const count = (login: string, id: number, body: object) =>
  ask(login, `/api/segments/update-events/${id}`, body);
const typed = (adult: number | null, kids: number | null = null) => ({
  entered_manual: { adult, kids },
  exited_manual: NONE,
});

async function queueOf(login: string, query = '') {
  const answer = await ask(login, `/api/segments/review-queue${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{
    items: ReviewItem[];
    total: number;
    newer: number;
    reviewed_today: number;
    reviewers: { login: string; reviewed: number }[];
  }>();
}

describe('a count by hand', () => {
  it('replaces the automatic one in the totals of the day, and says who counted', async () => {
    const id = await fragment(2);
    const answer = await count('operator', id, typed(7, 1));
    expect(answer.json<Fragment>()).toMatchObject({
      entered: { adult: 0, kids: 0 },
      entered_manual: { adult: 7, kids: 1 },
      exited_manual: NONE,
      reviewed_by: 'operator',
      reviewed_at: new Date(server.clock.nowMs()).toISOString(),
    });
    const { busId } = fleet.firstBus;
    const day = await ask(
      'first',
      `/api/segments/day-segments?workplaceId=${busId}&date=2026-11-20`,
    );
    expect(day.json<DayFragments>()).toMatchObject({ totalEntered: 0, totalEnteredManual: 8 });
    expect(await listWaitingDays(server.deps.database.db, busId)).toContainEqual(
      expect.objectContaining({ day: '2026-11-20' }),
    );
    await count('operator', id, typed(null));
  });

  it('that is emptied gives way to the automatic one again', async () => {
    const id = await fragment(2);
    await count('admin', id, typed(3));
    expect((await count('admin', id, typed(null))).json()).toMatchObject({
      entered_manual: NONE,
    });
    const left = await server.deps.database.db
      .selectFrom('manual_counts')
      .select('segment_id')
      .where('segment_id', '=', id)
      .execute();
    expect(left).toEqual([]);
  });

  it('that is emptied takes back its review, and the fragment waits again', async () => {
    const id = await fragment(6);
    await count('operator', id, typed(5));
    server.clock.set(server.clock.nowMs() + 1000);
    await count('operator', id, typed(6));
    const emptied = await count('operator', id, typed(null));
    expect(emptied.json()).toMatchObject({ reviewed_at: null, reviewed_by: null });
    expect((await queueOf('operator')).items.map(({ segment_id }) => segment_id)).toContain(id);
    await ask('operator', `/api/segments/reviewed/${id}`, {});
  });

  it.each(['before', 'after'])('that is emptied leaves a review made %s it', async (when) => {
    const id = await fragment(6);
    const later = () => server.clock.set(server.clock.nowMs() + 1000);
    if (when === 'after') {
      await count('admin', id, typed(5));
      later();
    }
    const madeMs = server.clock.nowMs();
    await ask('operator', `/api/segments/reviewed/${id}`, {});
    later();
    await count('admin', id, typed(6));
    expect((await count('admin', id, typed(null))).json()).toMatchObject({
      reviewed_at: new Date(madeMs).toISOString(),
      reviewed_by: 'operator',
    });
  });

  it('that was never there takes back no review', async () => {
    const id = await fragment(6);
    await ask('operator', `/api/segments/reviewed/${id}`, {});
    expect((await count('admin', id, typed(null))).json()).toMatchObject({
      reviewed_by: 'operator',
    });
  });

  it('is kept with what it replaced, by whom', async () => {
    const id = await fragment(2);
    await count('operator', id, typed(3));
    await count('admin', id, typed(4));
    const rows = await server.deps.database.db
      .selectFrom('audit_log')
      .innerJoin('users', 'users.id', 'audit_log.user_id')
      .select(['login', 'before', 'after'])
      .where('action', '=', 'set_manual_counts')
      .where('object_id', '=', String(id))
      .orderBy('audit_log.id')
      .execute();
    const none = { exited: null, entered_kids: null, exited_kids: null };
    expect(rows).toEqual([
      { login: 'operator', before: null, after: { entered: 3, ...none } },
      { login: 'admin', before: { entered: 3, ...none }, after: { entered: 4, ...none } },
    ]);
  });

  it.each([
    ['below zero', typed(-1), 'entered_manual.adult'],
    ['with a fraction', typed(1.5), 'entered_manual.adult'],
    ['of ten thousand', typed(0, 10_000), 'entered_manual.kids'],
    ['without its sides', {}, 'entered_manual'],
  ])('%s is refused with its field', async (_name, body, field) => {
    const answer = await count('admin', await fragment(2), body);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { error: 'invalid_request', field },
    ]);
  });

  it('is for those with the edit right alone, and for fragments that they see', async () => {
    const id = await fragment(2);
    const refused = await count('first', id, typed(1));
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { error: 'no_right' }]);
    expect((await count('second', id, typed(1))).statusCode).toBe(404);
    const foreign = await fragment(2, fleet.secondBus);
    expect((await count('operator', foreign, typed(1))).statusCode).toBe(404);
    expect((await ask('first', `/api/segments/reviewed/${id}`, {})).statusCode).toBe(403);
  });

  it('has no place on a service camera', async () => {
    const id = await fragment(2);
    await server.deps.database.db
      .updateTable('segments')
      .set({ camera_id: fleet.firstBus.cameras.cabin })
      .where('id', '=', id)
      .execute();
    expect((await count('admin', id, typed(1))).statusCode).toBe(409);
  });
});

describe('the queue of what waits for review', () => {
  it('holds the fragments with many people, the latest first, until somebody looked at them', async () => {
    await fragment(4);
    const [one, two, three] = [await fragment(5), await fragment(6), await fragment(7)];
    const before = await queueOf('operator');
    expect(before.items.map(({ segment_id }) => segment_id)).toEqual([three, two, one]);
    expect(before.items[0]).toMatchObject({
      workplace_id: fleet.firstBus.busId,
      max_objects_count: 7,
      timezone: 'Europe/Moscow',
    });

    await ask('operator', `/api/segments/reviewed/${two}`, {});
    await count('operator', three, typed(2));
    const after = await queueOf('operator');
    expect([after.items.map(({ segment_id }) => segment_id), after.total]).toEqual([[one], 1]);
    expect(after.reviewed_today - before.reviewed_today).toBe(2);
  });

  it('goes on behind a fragment that was left alone', async () => {
    const [earlier, later] = [await fragment(9), await fragment(9)];
    const page = await queueOf('operator', '?perPage=1');
    expect(page.items.map(({ segment_id }) => segment_id)).toEqual([later]);
    const next = await queueOf('operator', `?perPage=1&after=${later}`);
    expect(next.items.map(({ segment_id }) => segment_id)).toEqual([earlier]);
  });

  it('is gone on with at a fragment, and says how many came after it', async () => {
    const [first, second, third] = [await fragment(9), await fragment(9), await fragment(9)];
    const back = await queueOf('operator', `?from=${second}`);
    expect(back.items.slice(0, 2).map(({ segment_id }) => segment_id)).toEqual([second, first]);
    expect(back.newer).toBe(1);
    expect((await queueOf('operator', `?after=${second}`)).newer).toBe(2);
    expect((await queueOf('operator')).newer).toBe(0);
    await ask('operator', `/api/segments/reviewed/${second}`, {});
    const gone = await queueOf('operator', `?from=${second}`);
    expect([gone.items[0]?.segment_id, gone.newer]).toEqual([first, 1]);
    expect(third).toBeGreaterThan(second);
  });

  it('says who reviewed today, of the buses that one sees', async () => {
    await ask('admin', `/api/segments/reviewed/${await fragment(9, fleet.secondBus)}`, {});
    await ask('operator', `/api/segments/reviewed/${await fragment(9)}`, {});
    const ofAll = (await queueOf('admin')).reviewers;
    expect(ofAll.map(({ login }) => login).sort()).toEqual(['admin', 'operator']);
    const own = (await queueOf('operator')).reviewers;
    const before = own.find(({ login }) => login === 'operator')?.reviewed ?? 0;
    await ask('operator', `/api/segments/reviewed/${await fragment(9)}`, {});
    const after = (await queueOf('operator')).reviewers;
    expect(after.find(({ login }) => login === 'operator')?.reviewed).toBe(before + 1);
  });

  it('shows nobody what is not theirs', async () => {
    const foreign = await fragment(9, fleet.secondBus);
    const ids = async (login: string) =>
      (await queueOf(login)).items.map(({ segment_id }) => segment_id);
    expect(await ids('admin')).toContain(foreign);
    expect(await ids('operator')).not.toContain(foreign);
    const ofCustomer = await queueOf('admin', `?clientId=${fleet.second}`);
    expect(ofCustomer.items.map(({ segment_id }) => segment_id)).toEqual([foreign]);
    for (const side of ['after', 'from', 'clientId']) {
      const asked = await ask(
        'operator',
        `/api/segments/review-queue?${side}=${side === 'clientId' ? fleet.second : foreign}`,
      );
      expect(asked.statusCode).toBe(404);
    }
    expect((await ask('operator', `/api/segments/${foreign}`)).statusCode).toBe(404);
    const own = await fragment(1);
    expect((await ask('operator', `/api/segments/${own}`)).json<Fragment>().id).toBe(own);
    expect((await ask('first', '/api/segments/review-queue')).statusCode).toBe(403);
  });

  it('starts anew each day of Moscow', async () => {
    const nowMs = server.clock.nowMs();
    await ask('admin', `/api/segments/reviewed/${await fragment(9)}`, {});
    expect((await queueOf('admin')).reviewed_today).toBeGreaterThan(0);
    server.clock.set(Date.UTC(2026, 10, 20, 21));
    tokens.admin = await server.signIn('admin');
    expect((await queueOf('admin')).reviewed_today).toBe(0);
    server.clock.set(nowMs);
  });
});

describe('two who count the same fragment', () => {
  it('does not replace what somebody else has counted meanwhile, unseen', async () => {
    const id = await fragment(2);
    await count('operator', id, typed(6));
    const unseen = await count('admin', id, { ...typed(8), seen: typed(null) });
    expect([unseen.statusCode, unseen.json<{ error: string }>().error]).toEqual([409, 'conflict']);
    const stands = await ask('admin', `/api/segments/${id}`);
    expect(stands.json<Fragment>()).toMatchObject({ ...typed(6), reviewed_by: 'operator' });
    // A user who has seen it may overwrite it. An equal request after that is the retry of a lost answer.
    for (const seen of [typed(6), typed(6)]) {
      expect((await count('admin', id, { ...typed(8), seen })).statusCode).toBe(200);
    }
    expect((await count('admin', id, { ...typed(9), seen: typed(null) })).statusCode).toBe(200);
  });
});
