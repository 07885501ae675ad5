// Why a unit cannot be where it is wanted. The answer has the cause, for the form to say what to do.
import type { MoveRefusal } from '@ridewatch/contract/move-refusal';
import { sql } from 'kysely';
import { isVisibleUnit } from '../access/administration.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';

type Cause = MoveRefusal['cause'];

const kinds: Readonly<Record<Cause, readonly ['conflict' | 'invalid_request', string]>> = {
  bus_taken: ['conflict', 'bus_id'],
  in_test: ['conflict', 'bus_id'],
  test_counted: ['conflict', 'bus_id'],
  future: ['invalid_request', 'moved_from'],
  too_old: ['invalid_request', 'moved_from'],
  foreign_day: ['invalid_request', 'moved_from'],
  came_later: ['conflict', 'moved_from'],
  other_unit: ['conflict', 'moved_from'],
  no_camera: ['conflict', 'moved_from'],
  too_much: ['conflict', 'moved_from'],
};

/** The refusal of a place or a moment. @param message of the server, in English */
export function refusedMove(message: string, current: MoveRefusal): AppError {
  const [code, field] = kinds[current.cause];
  return new AppError(code, message, { field, current });
}

/** Most missing cameras that a refusal names. */
const MOST_NAMED = 10;

/**
 * The refusal of a bus that lacks cameras of which there is video.
 * @param lacking those of the old bus, each once, in any order
 */
export function refusedCameras(
  lacking: readonly { readonly name: string; readonly stream_id: string }[],
): AppError {
  const cameras = [...lacking]
    .sort((a, b) => (a.stream_id < b.stream_id ? -1 : 1))
    .slice(0, MOST_NAMED)
    .map(({ name, stream_id }) => ({ name, stream_id }));
  const named = cameras.map(({ name, stream_id }) => `"${name}" (stream "${stream_id}")`);
  const total = lacking.length;
  const message = `Since then the unit has recorded with ${total} cameras that the bus lacks: ${named.join(', ')}.`;
  return refusedMove(message, { cause: 'no_camera', cameras, total });
}

/**
 * Refuses a bus in which another unit sits. The bus is locked: see `lockBusesOfMove`.
 * @param unitId the unit that comes; undefined: a new one
 * @throws AppError conflict
 */
export async function refuseTakenBus(
  tx: Tx,
  busId: number,
  unitId: number | undefined,
): Promise<void> {
  const other = await tx
    .selectFrom('units')
    .select('device_id')
    .where('workplace_id', '=', busId)
    .$if(unitId !== undefined, (query) => query.where('id', '!=', unitId ?? 0))
    .executeTakeFirst();
  if (other === undefined) return;
  const { device_id } = other;
  throw refusedMove(`Unit "${device_id}" sits in this bus.`, { cause: 'bus_taken', device_id });
}

/**
 * The id of the unit that left a bus last, if the user may see it: it may be in a foreign bus by now.
 * @param unitId another unit than that
 */
export async function findLastUnit(
  tx: Tx,
  viewer: Viewer,
  busId: number,
  unitId: number,
): Promise<string | null> {
  const { rows } = await sql<{ device_id: string | null }>`
    select case when ${isVisibleUnit(viewer)} then device_id end as device_id
    from past_assignments join units on units.id = unit_id
    where past_assignments.workplace_id = ${busId} and unit_id <> ${unitId}
    order by until_at desc limit 1`.execute(tx);
  return rows[0]?.device_id ?? null;
}
