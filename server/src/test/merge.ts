import type { Db } from '../core/db/db.ts';
import type { TestBus } from './fleet.ts';

/**
 * Inserts a merge request of a bus's first door.
 * @param more.at when its period begins, and when it was ordered; now by default, so that no deadline has passed
 * @returns its id
 */
export async function insertTestMerge(
  db: Db,
  bus: TestBus,
  clientId: number,
  more: { status?: 'PROCESS' | 'SENT' | 'COMPLETE'; at?: Date } = {},
): Promise<number> {
  const { status = 'PROCESS', at = new Date() } = more;
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('merge_requests')
    .values({
      ...{ camera_id: bus.cameras.door1, client_id: clientId, user_id: user.id, processed: true },
      ...{ from_time: at, to_time: new Date(at.getTime() + 20_000), created_at: at, status },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
