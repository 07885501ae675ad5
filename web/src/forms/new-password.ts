import { MIN_PASSWORD_LENGTH } from '@ridewatch/contract/account';
import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';

/** Says what is wrong with a new password before it is sent. */
export function newPasswordProblem(
  password: string,
  said: {
    readonly required: string;
    readonly tooShort: string;
    readonly tooLong: (most: number) => string;
  },
): string | undefined {
  if (password === '') return said.required;
  if (password.length > MAX_TEXT_LENGTH) return said.tooLong(MAX_TEXT_LENGTH);
  // Counted as the server counts: characters, not UTF-16 units.
  return [...password].length < MIN_PASSWORD_LENGTH ? said.tooShort : undefined;
}
