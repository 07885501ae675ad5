// Queues keep within their limits, and what falls out is counted.
import { UPSTREAM_KEEP_DAYS } from '@ridewatch/contract/admin-upstreams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createUpstreamWorld,
  position,
  type SendingBus,
  type UpstreamWorld,
} from '../test/upstream-world.ts';
import { trimUpstreamsJob } from './trim-job.ts';

let world: UpstreamWorld;
let bus: SendingBus;

beforeAll(async () => {
  world = await createUpstreamWorld();
});
afterAll(() => world.close());

const trim = (keepRows?: number) =>
  trimUpstreamsJob(world.server.deps, keepRows).run(
    {},
    { jobId: '1', attempt: 1, lastAttempt: false, signal: new AbortController().signal },
  );

async function makeWaiting(batches: number): Promise<number> {
  bus = await world.freshBus();
  const upstream = await world.makeUpstream({ port: 1, numbers: new Map([[bus, 1]]) });
  for (let seq = 0; seq < batches; seq += 1) {
    await world.send(bus, [position(seq * 2), position(seq * 2 + 1)]);
  }
  return upstream;
}

describe('the queue of an upstream', () => {
  it('loses what has waited for three days, and says how much and when', async () => {
    const upstream = await makeWaiting(3);
    world.server.clock.advance(UPSTREAM_KEEP_DAYS * 86_400_000 - 1000);
    await world.send(bus, [position(100)]);
    await trim();
    expect(await world.waiting(upstream)).toEqual({ rows: 4, records: 7 });
    expect(await world.stateOf(upstream)).toMatchObject({ fallen: 0, fallen_at: null });
    world.server.clock.advance(2000);
    await trim();
    expect(await world.waiting(upstream)).toEqual({ rows: 1, records: 1 });
    const now = new Date(world.server.clock.nowMs());
    expect(await world.stateOf(upstream)).toMatchObject({ fallen: 6, fallen_at: now });
  });

  it('loses its oldest rows beyond a number, and no other queue does', async () => {
    const many = await makeWaiting(5);
    const few = await makeWaiting(3);
    await trim(4);
    expect(await world.waiting(many)).toEqual({ rows: 4, records: 8 });
    expect(await world.waiting(few)).toEqual({ rows: 3, records: 6 });
    expect(await world.stateOf(many)).toMatchObject({ fallen: 2 });
    expect(await world.stateOf(few)).toMatchObject({ fallen: 0 });
  });

  it('is deleted after its upstream', async () => {
    const [gone, stays] = [await makeWaiting(2), await makeWaiting(2)];
    await world.server.deps.database.db.deleteFrom('upstreams').where('id', '=', gone).execute();
    await trim();
    expect((await world.waiting(gone)).rows).toBe(0);
    expect((await world.waiting(stays)).rows).toBe(2);
  });
});
