import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FragmentStatus } from '@ridewatch/contract/fragment-states';
import type { TestBus } from './fleet.ts';
import type { TestServer } from './test-deps.ts';

/** Inserts a fragment with stored video, as after verification and counting. @returns its id */
export async function insertStoredFragment(
  { deps }: TestServer,
  bus: TestBus,
  fragment: {
    startMs: number;
    lengthMs: number;
    camera?: keyof TestBus['cameras'];
    status?: FragmentStatus;
    /** Without it no file is stored. */
    video?: Buffer;
  },
): Promise<number> {
  const { db } = deps.database;
  const { startMs, lengthMs, camera = 'door1', status = 'PROCESSED', video } = fragment;
  const start = new Date(startMs);
  const end = new Date(startMs + lengthMs);
  const stream = await db
    .insertInto('unit_streams')
    .values({ unit_id: bus.unitId, stream: randomUUID(), created_at: end })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('segments')
    .values({
      ...{ camera_id: bus.cameras[camera], unit_id: bus.unitId, stream_id: stream.id, seq: 1 },
      ...{ sent_start: start, sent_end: end, start_time: start, end_time: end, status },
      status_at: end,
      created_at: end,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (video === undefined) return id;
  const key = `video/${randomUUID()}`;
  await deps.storage.put(key, Readable.from([video]));
  const sha256 = createHash('sha256').update(video).digest();
  for (const variant of ['source', 'playable'] as const) {
    await db
      .insertInto('segment_files')
      .values({
        segment_id: id,
        variant,
        storage_key: key,
        size_bytes: video.length,
        sha256,
        created_at: end,
      })
      .execute();
  }
  return id;
}
