/**
 * Parses a query string. Repeated keys become arrays, `a[]` means `a`, a single key is text. Takes linear time, however
 * often a key is repeated.
 * @param text without the question mark
 */
export function parseQuery(text: string): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = Object.create(null);
  for (const [rawKey, value] of new URLSearchParams(text)) {
    const isList = rawKey.endsWith('[]');
    const key = isList ? rawKey.slice(0, -2) : rawKey;
    const before = result[key];
    if (before === undefined) result[key] = isList ? [value] : value;
    else if (Array.isArray(before)) before.push(value);
    else result[key] = [before, value];
  }
  return result;
}
