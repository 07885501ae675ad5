// Logins by which a registrar that knows only FTP uploads the one file that a command asks it for. A login belongs to one
// fragment of one unit. The registrar may come back with it and resume until the file is whole, the fragment gets another
// login, or nothing has come for its lifetime.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { MAX_UPLOAD_BYTES } from '@ridewatch/contract/unit';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';

/** A login without a new byte for this long has ended, ms. */
export const FTP_LOGIN_MS = 2 * 3_600_000;
/** 32 of them: five bits a character. None is mistaken for another by a registrar that changes case or encoding. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const LOGIN_LENGTH = 16;
const LOGIN = new RegExp(`^[${ALPHABET}]{${LOGIN_LENGTH}}$`);
/** 130 bits. Registrars have room for 32 characters. */
const PASSWORD_LENGTH = 26;

interface NewFtpLogin {
  readonly unitId: number;
  readonly fragmentId: number;
  /** By the registrar's list of files; at least 1. Of a list without sizes, MAX_UPLOAD_BYTES: the file has a short end. */
  readonly sizeBytes: number;
  /** ms since 1970 UTC. */
  readonly nowMs: number;
}

/** A login in the words of the command that asks a registrar for the file. */
export interface IssuedFtpLogin {
  readonly login: string;
  readonly password: string;
  readonly path: string;
}

/** A login that has not ended. */
export interface FtpLogin {
  readonly login: string;
  readonly secretSha256: Buffer;
  readonly unitId: number;
  readonly fragmentId: number;
  readonly lengthBytes: number;
}

/**
 * Makes the login of a fragment, which ends the one that it had: the way in for commands that ask a registrar for a file.
 * The bytes that came by the former login stay, so that the registrar resumes; so does where it ended the file. Logins of
 * the unit's other fragments that ended a lifetime ago are forgotten.
 * @returns the login, its password and the folder, which the command names
 * @throws AppError too_large, of a file that no upload may have
 */
export async function issueFtpLogin(
  tx: Tx,
  { unitId, fragmentId, sizeBytes, nowMs }: NewFtpLogin,
): Promise<IssuedFtpLogin> {
  if (sizeBytes > MAX_UPLOAD_BYTES) {
    throw new AppError('too_large', 'A file may have at most 4 GiB.');
  }
  const [login, password] = [randomText(LOGIN_LENGTH), randomText(PASSWORD_LENGTH)];
  const [now, expiresAt] = [new Date(nowMs), new Date(nowMs + FTP_LOGIN_MS)];
  await sql`delete from ftp_logins
    where unit_id = ${unitId} and segment_id <> ${fragmentId}
      and not ${livesAt(nowMs - FTP_LOGIN_MS)}`.execute(tx);
  await sql`
    insert into ftp_logins (login, secret_sha256, unit_id, segment_id, length_bytes, created_at, expires_at)
    values (${login}, ${sha256Of(password)}, ${unitId}, ${fragmentId}, ${sizeBytes}, ${now}, ${expiresAt})
    on conflict (segment_id) do update set
      login = excluded.login, secret_sha256 = excluded.secret_sha256, unit_id = excluded.unit_id,
      length_bytes = excluded.length_bytes, created_at = excluded.created_at, expires_at = excluded.expires_at,
      ended_at_bytes = case when ftp_logins.length_bytes = excluded.length_bytes
        then ftp_logins.ended_at_bytes end,
      ended_twice = ftp_logins.ended_twice and ftp_logins.length_bytes = excluded.length_bytes`.execute(
    tx,
  );
  return { login, password, path: '/' };
}

/** Whether a login of `ftp_logins` lives at a moment, ms since 1970 UTC: it is new, or bytes have come by it. */
const livesAt = (
  atMs: number,
): RawBuilder<boolean> => sql`(expires_at > ${new Date(atMs)} or exists (
  select from uploads
  where uploads.segment_id = ftp_logins.segment_id and uploads.unit_id = ftp_logins.unit_id
    and finished_at is null and received_at > ${new Date(atMs - FTP_LOGIN_MS)}
    and received_at > ftp_logins.created_at))`;

function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

const sha256Of = (password: string): Buffer => createHash('sha256').update(password).digest();

/**
 * Ends the login of a fragment, if it has one.
 * @param only the name of the login to end; the fragment may have another one by now
 */
export async function endFtpLogin(db: Db, fragmentId: number, only?: string): Promise<void> {
  await db
    .deleteFrom('ftp_logins')
    .where('segment_id', '=', fragmentId)
    .$if(only !== undefined, (query) => query.where('login', '=', only ?? ''))
    .execute();
}

/** Ends the logins of fragments that cancelled commands asked for, unless another command asks for the fragment. */
export async function endLoginsOf(db: Db, commandIds: readonly number[]): Promise<void> {
  const ids = sql`${[...commandIds]}::bigint[]`;
  await sql`delete from ftp_logins
    where segment_id in (select segment_id from unit_commands where id = any(${ids}))
      and not exists (select from unit_commands
        where unit_commands.segment_id = ftp_logins.segment_id and kind = 'fetch_segment'
          and finished_at is null and unit_commands.id <> all(${ids}))`.execute(db);
}

/**
 * A login by its name; undefined when there is none, it has ended, or its unit is switched off or has another protocol.
 * @param nowMs ms since 1970 UTC
 */
export async function findFtpLogin(
  db: Db,
  login: string,
  nowMs: number,
): Promise<FtpLogin | undefined> {
  if (!LOGIN.test(login)) return undefined;
  const { rows } = await sql<FtpLogin>`
    select login, secret_sha256 as "secretSha256", unit_id as "unitId", segment_id as "fragmentId",
      length_bytes as "lengthBytes"
    from ftp_logins
    where login = ${login} and ${livesAt(nowMs)} and exists (
      select from units where units.id = ftp_logins.unit_id and enabled and protocol = 'jt808')`.execute(
    db,
  );
  return rows[0];
}

const noSecret = Buffer.alloc(32);

/** Whether a password is a login's, in the same time whether or not there is such a login. */
export function isFtpPassword(login: FtpLogin | undefined, password: string): boolean {
  const isEqual = timingSafeEqual(sha256Of(password), login?.secretSha256 ?? noSecret);
  return isEqual && login !== undefined;
}
