import type { AuditAction } from '@ridewatch/contract/action-words';
import * as contract from '@ridewatch/contract/admin-aside';
import { sql } from 'kysely';
import {
  type Administered,
  asAdministered,
  findUnit,
  type UnitRow,
} from '../../access/administration.ts';
import { refuseForeignDays } from '../../access/own-days.ts';
import { busAt, findKnownUnit } from '../../access/unit-assignments.ts';
import { lockRights } from '../../auth/accounts.ts';
import { type AuditEntry, insertAudit } from '../../core/audit.ts';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { serve } from '../../core/http/http.ts';
import type { Viewer } from '../../core/viewer.ts';
import { inLockOrder } from '../../days/bound-days.ts';
import { createDayFinder, listZonesOf } from '../../days/bus-days.ts';
import type { Feature } from '../../deps.ts';
import { momentsOf } from '../store/batch-days.ts';
import { momentOf } from '../store/by-bus.ts';
import { makeRoom, placeAside } from '../store/place-aside.ts';
import { isPossible } from '../store/place-times.ts';
import type { CheckedRecord } from '../store/records.ts';
import { type AsideRows, deleteGroup, listGroups, peopleOf, readGroup } from './aside-groups.ts';

/** Records of units whose time is not known: administrators look at them, place and discard them. */
export const addAside: Feature = (app, { database, clock }, auth) => {
  const { db } = database;
  const find = async (tx: Db, viewer: Viewer, { unitId }: { unitId: number }) =>
    asAdministered(viewer, await findUnit(tx, viewer, unitId));

  serve(app, auth, contract.findUnitAside, 'user', async ({ viewer, params }) =>
    listGroups(db, viewer, await find(db, viewer, params)),
  );

  serve(app, auth, contract.placeUnitAside, 'user', async ({ viewer, actor, params, body }) => {
    const unit = await find(db, viewer, params);
    const group = await findGroup(db, viewer, unit, body.groupId);
    const [{ stream_id: streamId }] = group;
    const records = placedAt(group, Date.parse(body.firstTime));
    checkTimes(records.flatMap(momentsOf), actor.atMs);
    const moments = records.map(momentOf);
    await checkBuses(db, viewer, unit.id, moments);
    const times = new Map(records.map(({ seq, timeMs }) => [seq, timeMs]));
    const placing = { streamId, times };
    await makeRoom(database, unit.id, placing);
    return db.transaction().execute(async (tx) => {
      const present = await lockRights(tx, viewer, {}, 'share');
      const count = await placeAside(tx, unit.id, placing, clock.nowMs());
      // The unit may have gone to foreign hands before its lock.
      const placed = await find(tx, present, params);
      await checkBuses(tx, present, unit.id, moments);
      if (count === 0) throw gone();
      await insertAudit(tx, actor, auditOf('place_aside', unit.id, group, { at: body.firstTime }));
      return listGroups(tx, present, placed);
    });
  });

  serve(app, auth, contract.discardUnitAside, 'user', async ({ viewer, actor, params, body }) => {
    const { id } = await find(db, viewer, params);
    return db.transaction().execute(async (tx) => {
      const present = await lockRights(tx, viewer, {}, 'share');
      // A command that places records holds this lock; and the unit may have gone to foreign hands before it.
      await sql`select from units where id = ${id} for no key update`.execute(tx);
      const locked = await find(tx, present, params);
      const group = await findGroup(tx, present, locked, body.groupId);
      if (!(await deleteGroup(tx, group))) throw gone();
      await insertAudit(tx, actor, auditOf('discard_aside', id, group, {}));
      return listGroups(tx, present, locked);
    });
  });
};

async function findGroup(
  db: Db,
  viewer: Viewer,
  unit: Administered<UnitRow>,
  groupId: number,
): Promise<AsideRows> {
  const group = await readGroup(db, viewer, unit, groupId);
  if (group === undefined) throw gone();
  return group;
}

// The earliest record gets the moment (ms since 1970 UTC), the others keep their distances to it.
function placedAt(group: AsideRows, firstMs: number): CheckedRecord[] {
  const fromMs = group.reduce((least, { record }) => Math.min(least, record.sentMs), Infinity);
  return group.map(({ record }, index) => ({
    ...record,
    index,
    timeMs: record.sentMs + firstMs - fromMs,
  }));
}

function checkTimes(times: readonly number[], nowMs: number): void {
  const isFuture = times.some((ms) => ms > nowMs);
  if (!isFuture && times.every((ms) => isPossible(ms, nowMs))) return;
  const message = isFuture
    ? 'The last of these records would lie in the future.'
    : 'These records would lie before 2010.';
  throw new AppError('invalid_request', message, { field: 'firstTime' });
}

// The unit may have sat in buses of others.
async function checkBuses(
  db: Db,
  viewer: Viewer,
  unitId: number,
  times: readonly number[],
): Promise<void> {
  const unit = await findKnownUnit(db, unitId);
  const byBus = Map.groupBy(times, (ms) => (unit === undefined ? null : busAt(unit, ms)));
  const buses = [...byBus.keys()].filter((id) => id !== null);
  const zones = await listZonesOf(db, buses);
  const days = buses.flatMap((busId) => {
    const dayAt = createDayFinder(zones.get(busId) ?? []);
    return (byBus.get(busId) ?? []).map((ms) => ({ busId, day: dayAt(ms).day }));
  });
  await refuseForeignDays(db, viewer, inLockOrder(days), 'firstTime');
}

const gone = (): AppError =>
  new AppError('conflict', 'These records have been placed or discarded meanwhile, or cannot be.');

function auditOf(action: AuditAction, unitId: number, group: AsideRows, after: object): AuditEntry {
  const [entered, exited] = [peopleOf(group, 'entered'), peopleOf(group, 'exited')];
  const before = { entered, exited, records: group.length };
  return { action, objectType: 'unit', objectId: unitId, before, after };
}
