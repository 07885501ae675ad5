import * as contract from '@ridewatch/contract/admin-import';
import * as undo from '@ridewatch/contract/admin-import-undo';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import { reportTypes } from '@ridewatch/contract/reports';
import { checkAdministers } from '../../access/administration.ts';
import { insertAudit } from '../../core/audit.ts';
import { AppError } from '../../core/errors.ts';
import { serve } from '../../core/http/http.ts';
import { RawAnswer } from '../../core/http/send-cached.ts';
import { createTurns } from '../../core/turns.ts';
import type { Viewer } from '../../core/viewer.ts';
import type { Feature } from '../../deps.ts';
import { attachmentOf } from '../../media/serving/send-file.ts';
import { lockRightsOver } from '../lock-rights.ts';
import { writeTable } from './export.ts';
import { checkMayImport, listImports, lockImports } from './imports.ts';
import { usersOfImport, usersOfTable } from './lock-rows.ts';
import { NotUndone } from './not-undone.ts';
import { planImport } from './plan.ts';
import { undoTable } from './undo.ts';
import { objectTypes, writeImport } from './write.ts';

/** Longest wait for another table, ms. */
const WAIT_MS = 10_000;

/** Many objects at once from a table, and the same table as a file. */
export const addImport: Feature = (app, { database: { db }, clock }, auth) => {
  const turns = createTurns({
    mostWaiting: 12,
    mostOfOne: 3,
    message: 'Too many tables are being read. Try again soon.',
    retryAfterS: 2,
  });

  serve(app, auth, contract.checkImport, 'user', async ({ viewer, body }) => {
    const asked = askedOf(viewer, body);
    const end = await turns.take(viewer.userId, WAIT_MS);
    const { check } = await planImport(db, viewer, { ...asked, nowMs: clock.nowMs() }).finally(end);
    return check;
  });

  serve(app, auth, contract.runImport, 'user', async ({ viewer, actor, body }) => {
    const asked = askedOf(viewer, body);
    const end = await turns.take(viewer.userId, WAIT_MS);
    const written = db.transaction().execute(async (tx) => {
      await lockImports(tx, 'file');
      const { kind, file } = body;
      const present = await lockRightsOver(tx, viewer, usersOfTable(kind, asked.table));
      checkMayImport(present, kind);
      const { check, ...plan } = await planImport(tx, present, { ...asked, nowMs: actor.atMs });
      const nothing = { created: 0, changed: 0, import_id: null, credentials: [], links: [] };
      if (check.faulty > 0 || check.adds + check.changes === 0) {
        return { ...nothing, check, ended: [] };
      }
      refuseTooMany(check.adds + check.changes);
      const made = await writeImport(tx, actor, { viewer: present, kind, file, ...plan });
      return { created: check.adds, changed: check.changes, check, ...made };
    });
    const { ended, ...answer } = await written.finally(end);
    auth.forget(ended);
    return answer;
  });

  serve(app, auth, contract.exportTable, 'user', async ({ viewer, actor, params, query }) => {
    checkMayImport(viewer, params.kind);
    const { kind } = params;
    const end = await turns.take(viewer.userId, WAIT_MS);
    const wanted = { kind, ...query, nowMs: actor.atMs };
    const { file, name, rows } = await writeTable(db, viewer, wanted).finally(end);
    const after = { format: query.format, rows };
    await insertAudit(db, actor, { action: 'export', objectType: objectTypes[kind], after });
    return new RawAnswer(file, {
      'content-type': `${reportTypes[query.format]}${query.format === 'csv' ? '; charset=utf-8' : ''}`,
      'content-disposition': attachmentOf(name),
      'cache-control': 'no-store',
    });
  });

  serve(app, auth, undo.listImports, 'user', async ({ viewer, query }) => {
    checkMayImport(viewer, query.kind);
    return { items: await listImports(db, viewer, query.kind, clock.nowMs()) };
  });

  serve(app, auth, undo.undoImport, 'user', async ({ viewer, actor, params }) => {
    checkAdministers(viewer);
    const end = await turns.take(viewer.userId, WAIT_MS);
    const undone = db.transaction().execute(async (tx) => {
      await lockImports(tx, 'importId');
      const { importId } = params;
      const present = await lockRightsOver(tx, viewer, await usersOfImport(tx, importId));
      return undoTable(tx, present, actor, importId);
    });
    try {
      auth.forget(await undone);
      return { undone: true, obstacles: [] };
    } catch (error) {
      if (!(error instanceof NotUndone)) throw error;
      return { undone: false, obstacles: [...error.obstacles] };
    } finally {
      end();
    }
  });
};

/** Reads the request about a table. @throws AppError no_right; invalid_request for unknown and repeated columns */
function askedOf(
  viewer: Viewer,
  { kind, language, ...table }: BodyOf<typeof contract.checkImport>,
) {
  checkMayImport(viewer, kind);
  checkColumns({ kind, columns: table.columns });
  return { kind, language, table };
}

// A longer transaction would hold up the fleet, and its undoing, too.
function refuseTooMany(written: number): void {
  const most = contract.MOST_IMPORT_WRITES;
  if (written <= most) return;
  const message = `A table creates and changes at most ${most} objects at once, this one ${written}. Load a part first.`;
  throw new AppError('too_large', message, { field: 'rows' });
}

function checkColumns({
  kind,
  columns,
}: {
  readonly kind: contract.ImportKind;
  readonly columns: readonly (string | null)[];
}): void {
  const known: readonly string[] = contract.importColumns[kind];
  const named = columns.filter((column) => column !== null);
  const isFine = named.every((column) => known.includes(column));
  if (isFine && new Set(named).size === named.length) return;
  const message = 'must be known columns, each once';
  throw new AppError('invalid_request', message, { field: 'columns' });
}
