// Takes a loaded table back: the audit log says what it has created and changed.
import { sql } from 'kysely';
import { announceBusChange } from '../../buses/announce.ts';
import { type Actor, insertAudit } from '../../core/audit.ts';
import type { Tx } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { markUndone } from './imports.ts';
import { lockFleet, loggedRows } from './lock-rows.ts';
import { createObstacles, type Obstacles } from './not-undone.ts';
import { type LoggedCommand, undoChanges } from './undo-changes.ts';
import { deleteCreated, nameIn } from './undo-created.ts';
import { objectTypes } from './write.ts';

/**
 * Deletes the objects that a loaded table has created and sets back the fields that it has changed.
 * @param viewer with its present rights: see `lockRightsOver`
 * @returns sessions that ended, as their users got other rights
 * @throws NotUndone when objects are in use or were changed since; AppError not_found, no_right, conflict
 */
export async function undoTable(
  tx: Tx,
  viewer: Viewer,
  by: Actor,
  importId: number,
): Promise<string[]> {
  const kind = await markUndone(tx, viewer, importId, by.atMs);
  const actor = { ...by, importId };
  const { rows } = await sql<LoggedCommand>`
    select action, object_type, object_id::bigint as object_id, before, after from audit_log
    where import_id = ${importId} and object_id is not null order by id desc`.execute(tx);
  await lockFleet(tx, loggedRows(rows));
  const obstacles = createObstacles();
  await noteChanged(tx, importId, obstacles);
  const created = rows.filter(({ action }) => action.startsWith('create_'));
  const changed = rows.filter(({ action }) => action.startsWith('set_') || action === 'move_unit');
  const ended = await undoChanges(tx, viewer, actor, changed, obstacles);
  await deleteCreated(tx, viewer, actor, created, obstacles);
  await insertAudit(tx, actor, {
    ...{ action: 'undo_import', objectType: objectTypes[kind] },
    after: { deleted: created.length, changed: changed.length },
  });
  await announceBusChange(tx);
  return ended;
}

/** Notes objects that the table created and somebody has given a command about since; undone tables do not count. */
async function noteChanged(tx: Tx, importId: number, obstacles: Obstacles): Promise<void> {
  const { rows } = await sql<Pick<LoggedCommand, 'object_type' | 'object_id' | 'after'>>`
    select object_type, object_id::bigint as object_id, after from audit_log as own
    where own.import_id = ${importId} and own.action like 'create\\_%'
      and exists (select from audit_log as later
        where later.object_type = own.object_type and later.object_id = own.object_id
          and later.id > own.id and later.import_id is distinct from own.import_id
          and not exists (select from imports
            where imports.id = later.import_id and undone_at is not null))
    order by own.id`.execute(tx);
  for (const one of rows) obstacles.add(one, nameIn(one), 'changed');
}
