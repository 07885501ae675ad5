import { hash, verify } from '@node-rs/argon2';
import { MIN_PASSWORD_LENGTH } from '@ridewatch/contract/account';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';

// Unknown logins are compared with this hash, so that they take as long as known ones.
const nobodysHash = hash('nobody knows this password');

/** The argon2id hash of a password, with its parameters and salt. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password);
}

/** Whether a password is right; without a hash it takes as long and returns false. */
export async function isRightPassword(
  password: string,
  passwordHash: string | undefined,
): Promise<boolean> {
  const right = await verify(passwordHash ?? (await nobodysHash), password);
  return right && passwordHash !== undefined;
}

/**
 * Locks a user until the transaction ends, if it still has the password that was verified before the transaction. Call
 * it before the transaction writes: a password set meanwhile has ended the user's sessions, and none may follow.
 * @param verified the user with the hash that was verified
 * @returns false when the user has another password by now, or no longer exists
 */
export async function lockVerified(
  tx: Tx,
  verified: { readonly userId: number; readonly passwordHash: string },
): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', verified.userId)
    .where('password_hash', '=', verified.passwordHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return user !== undefined;
}

/**
 * Refuses a password that is too short.
 * @param field of the request that holds it
 * @throws AppError weak_password
 */
export function checkNewPassword(password: string, field: string): void {
  if ([...password].length < MIN_PASSWORD_LENGTH) {
    throw new AppError(
      'weak_password',
      `A password must have at least ${MIN_PASSWORD_LENGTH} characters.`,
      { field },
    );
  }
}
