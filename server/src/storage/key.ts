/**
 * Checks a storage key: our own names only, never a user's text.
 * @returns the key
 * @throws Error when it could lead out of the store, which is a bug
 */
export function checkKey(key: string): string {
  if (!/^[a-z0-9][a-z0-9_-]*(?:[./][a-z0-9][a-z0-9_-]*)*$/.test(key)) {
    throw new Error(`'${key}' is not a storage key.`);
  }
  return key;
}
