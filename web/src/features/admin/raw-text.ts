/** Bytes of a protocol, two hexadecimal digits each. */
const BYTES = /^(?:[\da-f]{2})+$/i;
/** The same as JSON, whose end may be cut off. */
const QUOTED = /^"([\da-f]+)"?$/i;

/** Whether a message that a unit sent is bytes and no text. */
export const isBytes = (raw: string): boolean => BYTES.test(raw);

/**
 * Makes a message as received readable: bytes with spaces between them, JSON in lines.
 * @returns the same text if it is neither; a cut text is no JSON
 */
export function readableRaw(raw: string): string {
  if (isBytes(raw)) return spaced(raw);
  const [, digits] = QUOTED.exec(raw) ?? [];
  if (digits !== undefined) return spaced(digits);
  try {
    return JSON.stringify(JSON.parse(raw), null, 1);
  } catch {
    return raw;
  }
}

const spaced = (digits: string): string => digits.replace(/..(?=.)/g, '$& ');
