import * as contract from '@ridewatch/contract/admin-import';
import { sql } from 'kysely';
import { checkAdministers } from '../../access/administration.ts';
import { AppError } from '../../core/errors.ts';
import { serve } from '../../core/http/http.ts';
import { createTurns } from '../../core/turns.ts';
import type { Viewer } from '../../core/viewer.ts';
import type { Feature } from '../../deps.ts';
import { planImport } from './plan.ts';
import { writeImport } from './write.ts';

/** Longest wait for the check of another table, ms. */
const CHECK_WAIT_MS = 10_000;

/** Key of the lock under which tables are written, one at a time in all processes. */
const IMPORT_LOCK = 1_900_060_001;

/** Many objects at once from a table. */
export const addImport: Feature = (app, { database: { db } }, auth) => {
  const turns = createTurns({
    mostWaiting: 20,
    mostOfOne: 3,
    message: 'Too many tables are being checked. Try again soon.',
    retryAfterS: 2,
  });

  serve(app, auth, contract.checkImport, 'user', async ({ viewer, body }) => {
    checkMayImport(viewer, body.kind);
    checkColumns(body);
    const end = await turns.take(viewer.userId, CHECK_WAIT_MS);
    const { check } = await planImport(db, viewer, body.kind, body).finally(end);
    return check;
  });

  serve(app, auth, contract.runImport, 'user', async ({ viewer, actor, body }) => {
    checkMayImport(viewer, body.kind);
    checkColumns(body);
    const end = await turns.take(viewer.userId, CHECK_WAIT_MS);
    const written = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ isFree: boolean }>`
        select pg_try_advisory_xact_lock(${IMPORT_LOCK}) as "isFree"`.execute(tx);
      if (rows[0]?.isFree !== true) {
        const message = 'Another table is being loaded. Try again in a minute.';
        throw new AppError('conflict', message, { field: 'file' });
      }
      const { planned, check } = await planImport(tx, viewer, body.kind, body);
      if (check.faulty > 0) return { created: 0, check, credentials: [] };
      const credentials = await writeImport(tx, actor, body, planned);
      return { created: planned.length, check, credentials };
    });
    return written.finally(end);
  });
};

function checkMayImport(viewer: Viewer, kind: contract.ImportKind): void {
  checkAdministers(viewer);
  if (kind !== 'customers' || viewer.role === 'ADMIN') return;
  throw new AppError('no_right', 'Only administrators create customers.', { field: 'kind' });
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
