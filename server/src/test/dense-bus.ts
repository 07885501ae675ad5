import { packPoints } from '../positions/pack.ts';
import { insertTestBus, type TestBus } from './fleet.ts';
import type { TestServer } from './test-deps.ts';

const BLOCK_MS = 300_000;
/** Blocks of positions of a day: the number of its positions is a multiple of it. */
export const BLOCKS = 288;

/**
 * A bus of the first customer with evenly spread positions of a day. Their month needs a partition.
 * @param count of the positions
 * @param placeAt place of the n-th position, in millionths of a degree
 */
export async function insertDenseBus(
  { deps }: TestServer,
  clientId: number,
  { startMs, count }: { startMs: number; count: number },
  placeAt: (n: number) => readonly [latitudeE6: number, longitudeE6: number],
): Promise<TestBus> {
  const { db } = deps.database;
  const bus = await insertTestBus(db, clientId, `Автобус ${count}`, 'Europe/Moscow');
  const ofBlock = count / BLOCKS;
  const stepMs = BLOCK_MS / ofBlock;
  const points = (block: number) =>
    Array.from({ length: ofBlock }, (_, n) => {
      const seq = block * ofBlock + n;
      const [latitudeE6, longitudeE6] = placeAt(seq);
      return {
        streamId: 1,
        seq,
        sentMs: startMs + block * BLOCK_MS + Math.round(n * stepMs),
        offsetMs: 0,
        latitudeE6,
        longitudeE6,
        speedE1: 200,
        course: null,
        satellites: null,
        hdopE1: null,
      };
    });
  const rows = Array.from({ length: BLOCKS }, (_, block) => {
    const first = startMs + block * BLOCK_MS;
    return {
      unit_id: bus.unitId,
      block_start: new Date(first),
      point_count: ofBlock,
      first_time: new Date(first),
      last_time: new Date(first + Math.round((ofBlock - 1) * stepMs)),
      points: packPoints(points(block)),
    };
  });
  await db.insertInto('position_blocks').values(rows).execute();
  return bus;
}
