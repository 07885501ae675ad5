// A unit has ids of its own, and a bus for itself.
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { refuseTaken } from './change.ts';

const IN_BUS = 'Another unit sits in this bus.';
const SAME_ID = 'Another unit has this id.';

/** @throws AppError conflict when another unit has this device id */
export async function checkDeviceId(tx: Tx, deviceId: string): Promise<void> {
  const taken = await tx
    .selectFrom('units')
    .select('id')
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  if (taken === undefined) return;
  throw new AppError('conflict', SAME_ID, { field: 'device_id' });
}

/**
 * Runs a write of a unit: another request may have taken its bus or one of its ids at this moment.
 * @throws AppError conflict that names the field
 */
export function refuseTakenUnit<T>(write: () => Promise<T>): Promise<T> {
  const ofProtocol = () => refuseTaken('protocol_id', SAME_ID, write, 'units_protocol_id_key');
  const ofDevice = () => refuseTaken('device_id', SAME_ID, ofProtocol, 'units_device_id_key');
  return refuseTaken('bus_id', IN_BUS, ofDevice);
}
