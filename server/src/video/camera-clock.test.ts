import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertTestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { filesAround, listFilesAround, readPeriod, runsFast } from './camera-clock.ts';

const unclear = (wallS: number, lengthS: number) => ({
  wallMs: wallS * 1000,
  lengthMs: lengthS * 1000,
  isUnclear: true,
});
const known = (wallS: number, lengthS = wallS) => ({
  ...unclear(wallS, lengthS),
  isUnclear: false,
});
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

describe('the clock of a short file', () => {
  const fast = unclear(98, 59);

  it('runs fast where most files around it have the same pace', () => {
    expect(runsFast(fast, [unclear(98, 59), unclear(50, 30), unclear(300, 185)])).toBe(true);
    expect(runsFast(fast, [...times(4, unclear(98, 59)), ...times(3, known(60))])).toBe(true);
  });

  it('is right where too few files say otherwise', () => {
    expect(runsFast(fast, [])).toBe(false);
    expect(runsFast(fast, times(2, unclear(98, 59)))).toBe(false);
  });

  it('is right where as many files are whole, or break off elsewhere', () => {
    expect(runsFast(fast, [...times(4, unclear(98, 59)), ...times(4, known(60))])).toBe(false);
    expect(runsFast(fast, [...times(3, unclear(98, 59)), ...times(3, unclear(98, 20))])).toBe(
      false,
    );
  });

  it('is not told by files that are too short to show it, or that were proved to be truncated', () => {
    expect(runsFast(fast, [...times(3, unclear(98, 59)), ...times(9, known(3))])).toBe(true);
    expect(runsFast(fast, times(9, known(98, 59)))).toBe(false);
  });

  it('is right where 14 s would be spread over three hours', () => {
    expect(runsFast(unclear(10_800, 14), times(8, unclear(10_800, 14)))).toBe(false);
  });
});

describe('a camera with many fragments', () => {
  const MANY = 20_000;
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer([]);
    const { firstBus } = await insertTestFleet(server.deps.database.db);
    const at = new Date('2026-01-01T05:00:00Z');
    const { db } = server.deps.database;
    await sql`insert into unit_streams (unit_id, stream, created_at) values (${firstBus.unitId}, gen_random_uuid(), ${at})`.execute(
      db,
    );
    await sql`
      insert into segments (camera_id, unit_id, stream_id, seq, sent_start, sent_end, start_time, end_time, status,
        status_at, created_at)
      select ${firstBus.cameras.door1}, ${firstBus.unitId}, (select max(id) from unit_streams), n, span.start_time,
        span.end_time, span.start_time, span.end_time, 'LIVE', ${at}, ${at}
      from generate_series(1, ${MANY}) as n, lateral (select
        ${at}::timestamptz + n * interval '1 minute' as start_time,
        ${at}::timestamptz + n * interval '1 minute' + interval '30 s' as end_time) as span`.execute(
      db,
    );
    // Every tenth was fetched.
    await sql`
      insert into segment_files (segment_id, variant, storage_key, size_bytes, sha256, duration_ms, created_at)
      select id, variant, 'video/' || id, 1, '', 30000, ${at}
      from segments, unnest(array['source', 'playable']) as variant where seq % 10 = 0`.execute(db);
    await sql`analyze`.execute(db);
  });
  afterAll(() => server.close());

  it('has its nearest files found without reading the others', async () => {
    const { db } = server.deps.database;
    const { id } = await db
      .selectFrom('segments')
      .select('id')
      .where('seq', '=', MANY / 2)
      .executeTakeFirstOrThrow();
    const period = await readPeriod(db, id);
    const files = await listFilesAround(db, period);
    expect(
      files.map((file) => (file.startTime.getTime() - period.startTime.getTime()) / 60_000),
    ).toEqual([-10, -20, -30, -40, -50, -60, -70, -80, 10, 20, 30, 40, 50, 60, 70, 80]);
    expect(files[0]).toMatchObject({ wallMs: 30_000, lengthMs: 30_000, isUnclear: false });
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
      explain (analyze, buffers, format json) ${filesAround(period)}`.execute(db);
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    const blocks = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    expect(blocks).toBeLessThan(2000);
  });
});
