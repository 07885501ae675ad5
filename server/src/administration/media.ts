// Images and other files of news, questions and banners, one each at most.
import type { AuditAction } from '@ridewatch/contract/action-words';
import type { AdminMedia } from '@ridewatch/contract/admin-news';
import { MAX_MEDIA_BYTES } from '@ridewatch/contract/news';
import { MAX_TEXT_LENGTH, withoutInvisible } from '@ridewatch/contract/primitives';
import { sql } from 'kysely';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { storableOf } from '../core/storable.ts';
import { formatOf } from './media-format.ts';

/** The file of a row that is joined with `media`, as in answers. */
export const mediaColumn = sql`case when media.id is not null then jsonb_build_object('id', media.id,
  'name', media.name, 'format', media.format, 'bytes', octet_length(media.data)) end`;

interface Change<Row> {
  readonly table: 'news' | 'messages';
  readonly id: number;
  /** The command's name in the audit log. */
  readonly action: AuditAction;
  /** Reads the row as in answers. */
  readonly read: (tx: Tx) => Promise<Row>;
  /** undefined: none */
  readonly file: File | undefined;
}

/**
 * Gives a row a file instead of its former one.
 * @returns the row as it is then
 * @throws AppError too_large, invalid_request for an empty file, and what `read` throws
 */
export async function replaceMedia<Row extends { readonly media: AdminMedia | null }>(
  tx: Tx,
  actor: Actor,
  { table, id, action, read, file }: Change<Row>,
): Promise<Row> {
  await sql`select from ${sql.table(table)} where id = ${id} for update`.execute(tx);
  const { media: before } = await read(tx);
  const made = file && (await insertMedia(tx, actor, file));
  await tx
    .updateTable(table)
    .set({ media_id: made?.id ?? null })
    .where('id', '=', id)
    .execute();
  // A file never changes under its id, so that browsers may keep it.
  await deleteMedia(tx, before);
  const after = await read(tx);
  await insertAudit(tx, actor, {
    ...{ action, objectType: table === 'news' ? 'news' : 'message', objectId: id },
    before: { media: before },
    after: { media: after.media },
  });
  return after;
}

/** Deletes a file that no row has any more. @param media null: none */
export async function deleteMedia(tx: Tx, media: AdminMedia | null): Promise<void> {
  if (media) await tx.deleteFrom('media').where('id', '=', media.id).execute();
}

async function insertMedia(tx: Tx, actor: Actor, file: File): Promise<{ id: number }> {
  const data = Buffer.from(await file.arrayBuffer());
  if (data.length === 0) {
    throw new AppError('invalid_request', 'The file is empty.', { field: 'file' });
  }
  if (data.length > MAX_MEDIA_BYTES) {
    throw new AppError('too_large', 'The file is larger than 10 MiB.', { field: 'file' });
  }
  const said = withoutInvisible(file.name.split(/[\\/]/).at(-1) ?? '');
  const name = storableOf(said, MAX_TEXT_LENGTH).trim() || 'file';
  return tx
    .insertInto('media')
    .values({ name, format: formatOf(data, name), data, created_at: new Date(actor.atMs) })
    .returning('id')
    .executeTakeFirstOrThrow();
}
