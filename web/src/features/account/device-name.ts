const browsers: readonly (readonly [name: string, token: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Яндекс Браузер', /\bYaBrowser\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const systems: readonly (readonly [name: string, token: RegExp])[] = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
];

/**
 * The browser and system of a `User-Agent`: `Chrome, Windows`. Other browsers also contain the names of Chrome and
 * Safari, so those are looked for last.
 * @returns undefined if neither is known
 */
export function deviceName(userAgent: string): string | undefined {
  const known = [browsers, systems].flatMap(
    (names) => names.find(([, token]) => token.test(userAgent))?.[0] ?? [],
  );
  return known.length === 0 ? undefined : known.join(', ');
}
