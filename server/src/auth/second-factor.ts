// The second factor of a user: the secret of an authenticator app, and recovery codes for a lost phone.
import { randomBytes } from 'node:crypto';
import type { AuditAction } from '@ridewatch/contract/action-words';
import { RECOVERY_CODES } from '@ridewatch/contract/second-factor';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { codeAddress, type Guesses, recoveryAddress } from './guesses.ts';
import { hashSecret } from './tokens.ts';
import { base32Of, findStep, SECRET_BYTES } from './totp.ts';

/** Bytes of a recovery code: too many to find one by its stored hash. */
const RECOVERY_BYTES = 10;
/** Characters between two dashes of a recovery code. */
const GROUP = /.{4}(?=.)/g;

/** How a user showed the second factor. */
export type Shown = 'app' | 'recovery_code';

/** A recovery code as typed, without dashes: 16 letters and digits of base 32. */
const RECOVERY_CODE = /^[A-Z2-7]{16}$/;

/** The user whose code is asked for, and the present. */
interface Question {
  readonly userId: number;
  readonly nowMs: number;
}

/** Whether sign-in asks a user for a code. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Uses a code of the app, or a recovery code, in one transaction with what it allows: neither works again, unless that
 * fails. Ten wrong codes of the app within 15 minutes, from whatever addresses, stop further ones; recovery codes then
 * still work. They are too long to be guessed, so ten wrong ones stop only those from their address: nobody else keeps
 * the owner of a lost phone out.
 * @param question `address` is that of the request
 * @param code as typed, with spaces and dashes
 * @param allow what the code allows; the user and the second factor are locked by then
 * @returns what `allow` returns; undefined for a wrong or used code
 * @throws AppError too_many_attempts, unavailable; what `allow` throws
 */
export function spendCode<T extends object>(
  guesses: Guesses,
  { userId, nowMs, address }: Question & { readonly address: string },
  code: string,
  allow: (tx: Tx, shown: Shown) => Promise<T>,
): Promise<T | undefined> {
  const typed = code.replace(/[\s-]/g, '').toUpperCase();
  const shown: Shown = RECOVERY_CODE.test(typed) ? 'recovery_code' : 'app';
  const counted = shown === 'app' ? codeAddress(userId) : recoveryAddress(userId, address);
  return guesses.use({ login: `${userId}`, address: counted, nowMs }, async (tx) => {
    const known = await lockSecondFactor(tx, userId);
    if (known === undefined) return undefined;
    const isRight =
      shown === 'app'
        ? await spendAppCode(tx, { userId, nowMs }, typed, known)
        : await spendRecoveryCode(tx, userId, typed);
    return isRight ? allow(tx, shown) : undefined;
  });
}

interface KnownFactor {
  readonly secret: Buffer;
  readonly last_step: number;
}

// Until the transaction ends the secret stays the one whose code is shown, and one request at a time uses a code.
async function lockSecondFactor(tx: Tx, userId: number): Promise<KnownFactor | undefined> {
  // Users before what they have, as in every transaction: two would wait for each other otherwise.
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return tx
    .selectFrom('second_factors')
    .select(['secret', 'last_step'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

async function spendAppCode(
  tx: Tx,
  { userId, nowMs }: Question,
  typed: string,
  { secret, last_step: lastStep }: KnownFactor,
): Promise<boolean> {
  const step = findStep(secret, typed, { nowMs, lastStep });
  if (step === undefined) return false;
  await tx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .execute();
  return true;
}

async function spendRecoveryCode(tx: Tx, userId: number, typed: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashSecret(typed))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Stores a new secret of a user who has none that is confirmed.
 * @returns the secret
 * @throws AppError conflict when the second factor is on
 */
export async function beginSecondFactor(db: Db, { userId, nowMs }: Question): Promise<Buffer> {
  const secret = randomBytes(SECRET_BYTES);
  const own = { secret, created_at: new Date(nowMs), last_step: 0 };
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('second_factors')
    .values({ user_id: userId, ...own })
    .onConflict((row) =>
      row.column('user_id').doUpdateSet(own).where('second_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw isOn();
  return secret;
}

/**
 * Turns the second factor on.
 * @param tx the transaction that has used a code of it: see `spendCode`
 * @returns the recovery codes
 * @throws AppError conflict when it is on already
 */
export async function confirmSecondFactor(tx: Tx, actor: Actor, userId: number): Promise<string[]> {
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ confirmed_at: new Date(actor.atMs) })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw isOn();
  await insertAudit(tx, actor, auditOf('set_up_second_factor', userId));
  return writeRecoveryCodes(tx, userId);
}

/** Replaces the recovery codes. @returns the new ones */
export async function renewRecoveryCodes(tx: Tx, actor: Actor, userId: number): Promise<string[]> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await insertAudit(tx, actor, auditOf('renew_recovery_codes', userId));
  return writeRecoveryCodes(tx, userId);
}

/** Takes the second factor of a user away, if there is one. */
export async function removeSecondFactor(tx: Tx, actor: Actor, userId: number): Promise<void> {
  const removed = await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst();
  if (!removed?.confirmed_at) return;
  await insertAudit(tx, actor, auditOf('remove_second_factor', userId));
}

async function writeRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32Of(randomBytes(RECOVERY_BYTES)));
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashSecret(code) })))
    .execute();
  return codes.map((code) => code.replace(GROUP, '$&-').toLowerCase());
}

const auditOf = (action: AuditAction, userId: number) =>
  ({ action, objectType: 'user', objectId: userId }) as const;

function isOn(): AppError {
  return new AppError('conflict', 'The second factor is on already. Switch it off first.');
}
