import { type NamedVideo, videoFileName } from '@ridewatch/contract/file-name';
import type { Db } from '../core/db/db.ts';
import { findSettingsAt } from '../days/bus-settings.ts';

interface SavedVideo extends Pick<NamedVideo, 'startMs' | 'endMs' | 'extension'> {
  /** The user may see the camera. */
  cameraId: number;
}

/** The file name under which a browser saves a video of a camera, by the clock of its bus. */
export async function savedName(db: Db, { cameraId, ...video }: SavedVideo): Promise<string> {
  const of = await db
    .selectFrom('cameras')
    .innerJoin('workplaces', 'workplaces.id', 'cameras.workplace_id')
    .select(['cameras.name as camera', 'workplaces.name as bus', 'workplaces.id as busId'])
    .where('cameras.id', '=', cameraId)
    .executeTakeFirstOrThrow();
  const { timezone: zone } = await findSettingsAt(db, of.busId, video.startMs);
  return videoFileName({ ...video, bus: of.bus, camera: of.camera, zone });
}
