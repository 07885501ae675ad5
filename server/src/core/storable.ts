// Texts that the database can store. PostgreSQL refuses NUL in any text and lone surrogates in JSON; elsewhere the
// driver would silently replace a lone surrogate.

/** The fault of such a text, as the end of a sentence that begins with its field. */
export const UNSTORABLE = 'has a character that cannot be stored: NUL, or half of a pair';

/**
 * Looks for a text that cannot be stored, as a value or a key, at any depth.
 * @param value JSON, fields of a form or of a query; of a file its name
 * @param apart fields of `value` that are left out
 * @returns the path of the first one, for instance ['stops', '3', 'name'], [] for the value itself; undefined: there is
 *   none
 */
export function findUnstorable(
  value: unknown,
  apart: readonly string[] = [],
): string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : [];
  // No recursion: input may be deeper than the stack.
  const left: Place[] = [{ value, key: '', parent: undefined }];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    for (const [key, child] of entriesOf(place.value)) {
      if (place.parent === undefined && apart.includes(key)) continue;
      const isText = typeof child === 'string';
      if ((isText && !isStorable(child)) || !isStorable(key)) return pathOf(place, key);
      if (typeof child === 'object' && child !== null) {
        left.push({ value: child, key, parent: place });
      }
    }
  }
  return undefined;
}

/** A foreign text without what cannot be stored. @param most UTF-16 units at most */
export function storableOf(text: string, most: number): string {
  // Truncation may split a surrogate pair: its lone half goes too.
  return text
    .replaceAll('\0', '')
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed();
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

interface Place {
  readonly value: unknown;
  readonly key: string;
  readonly parent: Place | undefined;
}

function entriesOf(value: unknown): Iterable<[string, unknown]> {
  if (value instanceof File) return [['name', value.name]];
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function pathOf(place: Place, key: string): string[] {
  const path = [key];
  for (let at: Place = place; at.parent !== undefined; at = at.parent) path.push(at.key);
  // An unstorable key is not repeated: it could not be stored in the answer either.
  return path.reverse().filter(isStorable);
}
