import { hash, verify } from '@node-rs/argon2';
import { MIN_PASSWORD_LENGTH } from '@ridewatch/contract/account';
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
