// Files by FTP that are shorter than the registrar's list says.
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { endFtpLogin } from './ftp-logins.ts';

/**
 * Notes that the registrar ended its file before the length of its list, and whether another command's login has seen it end
 * there, too.
 * @param atBytes the length of what has come, at least 1
 * @returns whether it has ended there before; false when there is no such login any more
 */
export async function noteShortEnd(db: Db, login: string, atBytes: number): Promise<boolean> {
  const { rows } = await sql<{ again: boolean }>`
    with before as (select ended_at_bytes is not distinct from ${atBytes}::bigint as again, ended_by, ended_twice
      from ftp_logins where login = ${login} for update)
    update ftp_logins set ended_at_bytes = ${atBytes}, ended_by = login,
      ended_twice = before.again and (before.ended_twice or before.ended_by is distinct from login) from before
    where login = ${login}
    returning before.again`.execute(db);
  return rows[0]?.again ?? false;
}

/**
 * Settles that a file is as long as what the registrar has sent of it: its list said too much. The registrar must have
 * ended the file there, and have said that it has sent all of it. It says so by ending there again, which the port of FTP
 * sees, or by the result of its command: this is the way in for that result. The sweep of uploads then finishes the
 * upload within a minute. When no command is left that could ask for the rest, ends by two commands are enough, also without
 * a byte: what has come would be discarded, and the check of the video judges it.
 * @param isLast no command is left
 * @returns whether it is settled; false when the registrar has not ended the file there, or it is finished
 */
export async function settleShorter(tx: Tx, fragmentId: number, isLast = false): Promise<boolean> {
  await tx.selectFrom('segments').select('id').where('id', '=', fragmentId).forUpdate().execute();
  const { rows } = await sql`
    update uploads set length_bytes = received_bytes from ftp_logins
    where uploads.segment_id = ${fragmentId} and ftp_logins.segment_id = uploads.segment_id
      and ftp_logins.unit_id = uploads.unit_id and finished_at is null
      and received_bytes = ended_at_bytes and received_bytes < uploads.length_bytes
      and (ended_twice or not ${isLast})
    returning uploads.id`.execute(tx);
  if (rows.length > 0) await endFtpLogin(tx, fragmentId);
  return rows.length > 0;
}
