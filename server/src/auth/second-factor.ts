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

/** Whose code, and when. */
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
 * Uses a code of the app, or a recovery code: neither works again. Ten wrong codes of the app within 15 minutes, from
 * whatever addresses, stop further ones; recovery codes then still work. They are too long to be guessed, so ten wrong
 * ones stop only those from their address: nobody else keeps the owner of a lost phone out.
 * @param question `address` is that of the request
 * @param code as typed, with spaces and dashes
 * @returns undefined for a wrong or used code
 * @throws AppError too_many_attempts, unavailable
 */
export function spendCode(
  db: Db,
  guesses: Guesses,
  { userId, nowMs, address }: Question & { readonly address: string },
  code: string,
): Promise<Shown | undefined> {
  const typed = code.replace(/[\s-]/g, '').toUpperCase();
  if (!RECOVERY_CODE.test(typed)) {
    const attempt = { login: `${userId}`, address: codeAddress(userId), nowMs };
    return guesses.find(attempt, async () =>
      (await isAppCode(db, { userId, nowMs }, typed)) ? 'app' : undefined,
    );
  }
  const attempt = { login: `${userId}`, address: recoveryAddress(userId, address), nowMs };
  return guesses.find(attempt, async () => {
    const { numDeletedRows } = await db
      .deleteFrom('recovery_codes')
      .where('user_id', '=', userId)
      .where('code_hash', '=', hashSecret(typed))
      .executeTakeFirst();
    return numDeletedRows > 0n ? 'recovery_code' : undefined;
  });
}

async function isAppCode(db: Db, { userId, nowMs }: Question, code: string): Promise<boolean> {
  const known = await db
    .selectFrom('second_factors')
    .select(['secret', 'last_step'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (known === undefined) return false;
  const step = findStep(known.secret, code, { nowMs, lastStep: known.last_step });
  if (step === undefined) return false;
  // Of two requests with one code, one changes the row.
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
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
 * Turns the second factor on, after a code of it was shown.
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
