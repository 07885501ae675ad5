import * as contract from '@ridewatch/contract/admin-aside';
import { asAdministered, findUnit } from '../../access/administration.ts';
import { type AuditEntry, insertAudit } from '../../core/audit.ts';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { serve } from '../../core/http/http.ts';
import type { Viewer } from '../../core/viewer.ts';
import type { Feature } from '../../deps.ts';
import { placeAside } from '../store/place-aside.ts';
import { isPossible } from '../store/place-times.ts';
import { type AsideRows, deleteGroup, listGroups, peopleOf, readGroup } from './aside-groups.ts';

/** Records of units whose time is not known: administrators look at them, place and discard them. */
export const addAside: Feature = (app, { database, clock }, auth) => {
  const { db } = database;
  const find = async (tx: Db, viewer: Viewer, { unitId }: { unitId: number }) =>
    asAdministered(viewer, await findUnit(tx, viewer, unitId));
  const findGroup = async (unitId: number, groupId: number): Promise<AsideRows> => {
    const group = await readGroup(db, unitId, groupId);
    if (group === undefined) throw gone();
    return group;
  };

  serve(app, auth, contract.findUnitAside, 'user', async ({ viewer, params }) =>
    listGroups(db, await find(db, viewer, params)),
  );

  serve(app, auth, contract.placeUnitAside, 'user', async ({ viewer, actor, params, body }) => {
    const unit = await find(db, viewer, params);
    const group = await findGroup(unit.id, body.groupId);
    const [{ stream_id: streamId }] = group;
    const fromMs = group.reduce((least, { sentMs }) => Math.min(least, sentMs), Infinity);
    const shiftMs = Date.parse(body.firstTime) - fromMs;
    const times = new Map(group.map(({ seq, sentMs }) => [seq, sentMs + shiftMs]));
    checkTimes([...times.values()], actor.atMs);
    const known = { unitId: unit.id, deviceId: unit.deviceId, busId: unit.busId };
    await placeAside(database, known, { streamId, times }, clock.nowMs(), async (tx, count) => {
      if (count === 0) throw gone();
      await insertAudit(tx, actor, auditOf('place_aside', unit.id, group, { at: body.firstTime }));
    });
    return listGroups(db, unit);
  });

  serve(app, auth, contract.discardUnitAside, 'user', async ({ viewer, actor, params, body }) => {
    const unit = await find(db, viewer, params);
    const group = await findGroup(unit.id, body.groupId);
    await db.transaction().execute(async (tx) => {
      if (!(await deleteGroup(tx, group))) throw gone();
      await insertAudit(tx, actor, auditOf('discard_aside', unit.id, group, {}));
    });
    return listGroups(db, unit);
  });
};

function checkTimes(times: readonly number[], nowMs: number): void {
  const isFuture = times.some((ms) => ms > nowMs);
  if (!isFuture && times.every((ms) => isPossible(ms, nowMs))) return;
  const message = isFuture
    ? 'The last of these records would lie in the future.'
    : 'These records would lie before 2010.';
  throw new AppError('invalid_request', message, { field: 'firstTime' });
}

const gone = (): AppError =>
  new AppError('conflict', 'These records have been placed or discarded meanwhile, or cannot be.');

function auditOf(action: string, unitId: number, group: AsideRows, after: object): AuditEntry {
  const [entered, exited] = [peopleOf(group, 'entered'), peopleOf(group, 'exited')];
  const before = { entered, exited, records: group.length };
  return { action, objectType: 'unit', objectId: unitId, before, after };
}
