/**
 * The effects of a change of the day on a key of the query:
 * - `ofDay`: it is cleared; and while the key is set, the address names the day.
 * - `tillNextDay`: it is cleared.
 * - `anyDay`: it stays.
 */
export type KeyKind = 'ofDay' | 'tillNextDay' | 'anyDay';

/** The keys of a screen's query. */
export type AddressKeys = Readonly<Record<string, KeyKind>>;

/** Values of the query, as text: a user may have typed them. */
export type Search<Keys extends AddressKeys> = { [Key in keyof Keys]?: string };

/** Reads the keys of a screen from a query. */
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

/** Reads the texts of a query, of which a screen takes its own keys. */
export function readTexts<Keys extends AddressKeys>(
  address: Readonly<Record<string, unknown>>,
): Search<Keys> {
  const texts = Object.entries(address).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts) as Search<Keys>;
}
