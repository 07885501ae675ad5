import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const source = new URL('..', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, source), 'utf8');
const tokens = read('ui/tokens.css');

function themeAt(selector: string): (name: string) => string {
  const from = tokens.indexOf(`${selector} {`);
  const block = tokens.slice(from, tokens.indexOf('}', from));
  return (name) => {
    const found = new RegExp(`--rw-${name}: (#[0-9a-f]{6});`).exec(block)?.[1];
    if (found === undefined) throw new Error(`${selector} has no colour --rw-${name}`);
    return found;
  };
}

const themes = { light: themeAt(':root'), dark: themeAt(':root[data-theme="dark"]') };
const meanings = ['entered', 'exited', 'attention', 'error', 'accent'] as const;
const cases = (['light', 'dark'] as const).flatMap((theme) =>
  meanings.map((meaning) => ({ theme, meaning })),
);

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe('the colours that have a meaning', () => {
  it('are the drawn ones: who got off is bright orange', () => {
    expect([themes.light('entered'), themes.light('exited')]).toEqual(['#0f9b66', '#e0721a']);
    expect([themes.dark('entered'), themes.dark('exited')]).toEqual(['#37c98d', '#ff9d4a']);
  });

  it.each(cases)('can be read as text: $meaning, $theme', ({ theme, meaning }) => {
    const colour = themes[theme];
    for (const ground of ['surface', 'background', 'line-soft', 'accent-soft', `${meaning}-soft`]) {
      expect(contrast(colour(`${meaning}-text`), colour(ground)), ground).toBeGreaterThanOrEqual(
        4.5,
      );
    }
  });

  it.each(cases)('can be seen as areas: $meaning, $theme', ({ theme, meaning }) => {
    const colour = themes[theme];
    expect(contrast(colour(meaning), colour('surface'))).toBeGreaterThanOrEqual(3);
  });

  it.each(['light', 'dark'] as const)(
    'leave an empty check box to be seen on all grounds: %s',
    (theme) => {
      const drawn = /\[type="checkbox"\][^{]*\{[^}]*border: [^;]*--rw-([a-z-]+)\)/.exec(
        read('ui/base.css'),
      );
      const colour = themes[theme];
      for (const ground of ['surface', 'background', 'line-soft', 'accent-soft']) {
        expect(
          contrast(colour(drawn?.[1] ?? 'line'), colour(ground)),
          ground,
        ).toBeGreaterThanOrEqual(3);
      }
    },
  );

  it('are those of a text wherever a style colours text', () => {
    const fills = new RegExp(`(?:^|[^-])color:[^;]*--rw-(?:${meanings.join('|')})\\)`, 'm');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
    const styles = files.filter((file) => file.endsWith('.css'));
    expect(styles.length).toBeGreaterThan(50);
    expect(styles.filter((file) => fills.test(read(file)))).toEqual([]);
  });
});
