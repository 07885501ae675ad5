import type { Db } from '../core/db/db.ts';
import type { TestBus } from './fleet.ts';

/** Inserts a preload request for an hour of a bus's first door. @returns its id */
export async function insertTestPreload(db: Db, bus: TestBus): Promise<number> {
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('preloads')
    .values({
      ...{ unit_id: bus.unitId, workplace_id: bus.busId, user_id: user.id },
      ...{ camera_ids: [bus.cameras.door1], created_at: new Date('2026-11-20T07:00:00Z') },
      ...{ from_time: new Date('2026-11-20T05:00:00Z'), to_time: new Date('2026-11-20T06:00:00Z') },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
