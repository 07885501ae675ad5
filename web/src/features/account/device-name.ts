type Names = readonly (readonly [name: string, token: RegExp])[];

const browsers = (yandexBrowser: string): Names => [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  [yandexBrowser, /\bYaBrowser\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const systems: Names = [
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
 * @param yandexBrowser the name of the one browser that has another in each language
 * @returns empty if neither is known
 */
export function deviceName(userAgent: string, yandexBrowser: string): string {
  return [browsers(yandexBrowser), systems]
    .flatMap((names) => names.find(([, token]) => token.test(userAgent))?.[0] ?? [])
    .join(', ');
}
