// A change of several rows in one transaction, or its preview.
import type * as contract from '@ridewatch/contract/admin-several';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { inTransaction } from '../core/db/previewed.ts';
import { AppError, notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Changed, ChangedTable } from './change.ts';

/** Rows that are written with one set of statements. */
export const LOT = 500;

/** Lots of ids, in their order. */
export const lotsOf = (ids: readonly number[], size: number): number[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, at) =>
    ids.slice(at * size, (at + 1) * size),
  );

/**
 * Refuses a call about a foreign row as a whole, as if the row did not exist, before anything else is said.
 * @param isVisible whether the user sees a row of the table
 * @throws AppError not_found
 */
export async function checkSees(
  db: Db,
  table: ChangedTable,
  ids: readonly number[],
  isVisible: RawBuilder<boolean>,
): Promise<void> {
  const asked = [...new Set(ids)];
  const { rows } = await sql`
    select from ${sql.table(table)} where id = any(${asked}::bigint[]) and ${isVisible}`.execute(
    db,
  );
  if (rows.length < asked.length) throw notFound();
}

/** The refusals of rows that another user has taken away since the call began. @param seen the rows that the user sees */
export function goneAmong(
  ids: readonly number[],
  seen: readonly { readonly id: number }[],
): ReadonlyMap<number, AppError> {
  const found = new Set(seen.map(({ id }) => id));
  return new Map(ids.filter((id) => !found.has(id)).map((id) => [id, notFound()]));
}

/** The rows of a call, and what is locked before them. */
interface Several {
  readonly ids: readonly number[];
  /** Nothing is written. */
  readonly preview: boolean;
  /** Locks what the changes lock before the rows. Gives the user with the rights by which they are judged. */
  readonly lockFirst: (tx: Tx) => Promise<Viewer>;
}

/** The result of a change of several rows. */
export interface Outcome {
  /** The ids of those that became different. */
  readonly changed: readonly number[];
  /** Those that were refused, by id. Nothing of them was written. */
  readonly refused: ReadonlyMap<number, AppError>;
}

/** Changes rows one after the other, as `changeSeveral`. A preview tries all of them; a change ends with the first refusal. */
export function changeEach(
  db: Db,
  table: ChangedTable,
  several: Several,
  change: (tx: Tx, viewer: Viewer, id: number) => Promise<Changed<unknown>>,
): Promise<Answer> {
  return changeSeveral(db, table, several, async (tx, viewer, ids) => {
    const changed: number[] = [];
    const refused = new Map<number, AppError>();
    for (const id of ids) {
      try {
        if ((await change(tx, viewer, id)).isChanged) changed.push(id);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refused.set(id, error);
        if (!several.preview) break;
      }
    }
    return { changed, refused };
  });
}

interface Answer {
  changed: number;
  changed_ids: number[];
  refused?: contract.RefusedRow[];
}

/**
 * Changes rows in one transaction. It locks all of them first, in the order of their ids: calls about the same rows take
 * turns, and none finds a row that another has changed meanwhile. A preview says which are refused.
 * @param change gets the ids of the locked rows, ascending
 * @throws AppError of the first refused row, with its place in `ids`; of a preview only not_found
 */
export async function changeSeveral(
  db: Db,
  table: ChangedTable,
  { ids, preview, lockFirst }: Several,
  change: (tx: Tx, viewer: Viewer, ids: readonly number[]) => Promise<Outcome>,
): Promise<Answer> {
  const { changed, refused } = await inTransaction(db, { isPreview: preview }, async (tx) => {
    const viewer = await lockFirst(tx);
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)}
      where id = any(${[...ids]}::bigint[]) order by id for no key update`.execute(tx);
    const outcome = await change(
      tx,
      viewer,
      rows.map(({ id }) => id),
    );
    for (const [id, error] of outcome.refused) {
      if (preview && error.code !== 'not_found') continue;
      const place = [`ids.${ids.indexOf(id)}`, error.field].filter(Boolean).join('.');
      throw new AppError(error.code, error.message, { field: place, cause: error });
    }
    return outcome;
  });
  const answer = { changed: changed.length, changed_ids: [...changed] };
  if (!preview) return answer;
  return {
    ...answer,
    refused: [...refused].map(([id, { code, message, field }]) => ({
      ...{ id, error: code, message, ...(field !== undefined && { field }) },
    })),
  };
}
