/**
 * What the shown day means to a key of a screen's address:
 * - `ofDay`: chosen within the day. The address names the day while the key stands there, and another day clears it.
 * - `tillNextDay`: another day clears it, that is all.
 * - `anyDay`: holds on every day.
 */
export type KeyKind = 'ofDay' | 'tillNextDay' | 'anyDay';

/** The keys of a screen's address. */
export type AddressKeys = Readonly<Record<string, KeyKind>>;

/** What an address says: all values are text, as somebody may have typed it. */
export type Search<Keys extends AddressKeys> = { [Key in keyof Keys]?: string };

/** Picks a screen's own keys from an address. */
export function readSearch<Keys extends AddressKeys>(
  keys: Keys,
  address: Readonly<Record<string, unknown>>,
): Search<Keys> {
  const search: Search<Keys> = {};
  for (const key in keys) {
    const value = address[key];
    if (typeof value === 'string') search[key] = value;
  }
  return search;
}
