import type { Point } from '@ridewatch/contract/primitives';
import type { Db, Tx } from '../core/db/db.ts';

/** The track of a route on a day; earlier days have that of the first day. */
export async function findTrackOn(db: Db, routeId: number, day: string): Promise<Point[]> {
  const rows = await db
    .selectFrom('route_tracks')
    .select(['track', 'valid_from'])
    .where('group_id', '=', routeId)
    .orderBy('valid_from')
    .execute();
  const valid = rows.findLast(({ valid_from }) => valid_from <= day) ?? rows[0];
  return (valid?.track ?? []) as Point[];
}

/** Sets the track from a day on, until the next version. */
export async function saveTrack(
  tx: Tx,
  routeId: number,
  day: string,
  track: readonly Point[],
): Promise<void> {
  const text = JSON.stringify(track.map(({ latitude, longitude }) => ({ latitude, longitude })));
  await tx
    .insertInto('route_tracks')
    .values({ group_id: routeId, valid_from: day, track: text })
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'valid_from']).doUpdateSet({ track: text }),
    )
    .execute();
}
