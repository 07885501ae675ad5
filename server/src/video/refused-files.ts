// A file that was refused is remembered in its fragment. A unit that sends the same bytes again has nothing better: each
// further attempt would cost its mobile traffic.
import { sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import type { LocalFile } from './stored-files.ts';

/**
 * Notes the file that was refused, in place of the last one. The fragment's row is locked.
 * @returns whether the last one had the same bytes
 */
export async function noteRefused(
  tx: Tx,
  fragmentId: number,
  { sizeBytes, sha256 }: LocalFile,
): Promise<boolean> {
  const refused = JSON.stringify({ size_bytes: sizeBytes, sha256: sha256.toString('hex') });
  const { rows } = await sql<{ same: boolean }>`
    with before as (select info -> 'refused' as refused from segments where id = ${fragmentId})
    update segments set info = info || jsonb_build_object('refused', ${refused}::jsonb) from before
    where id = ${fragmentId}
    returning before.refused is not distinct from ${refused}::jsonb as same`.execute(tx);
  return rows[0]?.same ?? false;
}

/** Forgets the file that was refused: the video has come. */
export async function forgetRefused(tx: Tx, fragmentId: number): Promise<void> {
  await sql`update segments set info = info - 'refused'
    where id = ${fragmentId} and info ? 'refused'`.execute(tx);
}
