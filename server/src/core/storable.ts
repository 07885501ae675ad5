// Which texts the database can keep. PostgreSQL refuses NUL in any text, and halves of surrogate pairs in JSON; in other
// texts the driver would put another character in their place without a word.

/** What is wrong with such a text, as the end of a sentence that begins with its field. */
export const UNSTORABLE = 'has a character that cannot be stored: NUL, or half of a pair';

/**
 * Looks for a text that cannot be stored in whatever somebody sent, as a value or as a key, however deep.
 * @param value JSON, fields of a form or of a query; a file has its name
 * @param apart a field of `value` that is left out
 * @returns where the first one is, for instance ['stops', '3', 'name'], [] for the value itself; undefined: there is none
 */
export function findUnstorable(value: unknown, apart?: string): string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : [];
  // No recursion: what was sent may be deeper than the stack.
  const left: Place[] = [{ value, key: '', parent: undefined }];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    for (const [key, child] of entriesOf(place.value)) {
      if (place.parent === undefined && key === apart) continue;
      const isText = typeof child === 'string';
      if ((isText && !isStorable(child)) || !isStorable(key)) return pathOf(place, key);
      if (typeof child === 'object' && child !== null) {
        left.push({ value: child, key, parent: place });
      }
    }
  }
  return undefined;
}

/** A text of somebody else's without what cannot be stored. @param most so many UTF-16 units are kept */
export function storableOf(text: string, most: number): string {
  // Cut last, a pair could be cut in two.
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
  // A key at fault is not said again: it would not be storable in the answer either.
  return path.reverse().filter(isStorable);
}
