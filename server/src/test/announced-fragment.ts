import type { Db } from '../core/db/db.ts';
import type { TestBus } from './fleet.ts';

/** Inserts a fragment of a bus's first door, announced as kept. @returns its id */
export async function insertAnnouncedFragment(db: Db, bus: TestBus): Promise<number> {
  const start = new Date('2026-11-20T05:00:00Z');
  const end = new Date('2026-11-20T05:00:20Z');
  const { id: streamId } = await db
    .insertInto('unit_streams')
    .values({ unit_id: bus.unitId, stream: crypto.randomUUID(), created_at: end })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('segments')
    .values({
      camera_id: bus.cameras.door1,
      unit_id: bus.unitId,
      stream_id: streamId,
      seq: 1,
      sent_start: start,
      sent_end: end,
      start_time: start,
      end_time: end,
      status: 'LIVE',
      status_at: end,
      created_at: end,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
