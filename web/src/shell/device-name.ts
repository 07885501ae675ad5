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
 * What people call the browser behind a `User-Agent`: `Chrome, Windows`. Others name themselves after Chrome and
 * Safari, so the rarer ones are looked for first.
 * @returns undefined for one that is not known
 */
export function deviceName(userAgent: string): string | undefined {
  const known = [browsers, systems].flatMap(
    (names) => names.find(([, token]) => token.test(userAgent))?.[0] ?? [],
  );
  return known.length === 0 ? undefined : known.join(', ');
}
