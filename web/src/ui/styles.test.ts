// The styles keep one scale of type, of distances and of controls, and no class without a use.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const source = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(source, file), 'utf8');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
const styles = files.filter((file) => file.endsWith('.css'));
const isTokens = (file: string): boolean => /ui[\\/](tokens|base)\.css$/.test(file);

/** The declarations of all styles that match, as `file: declaration`. */
function find(pattern: RegExp): string[] {
  return styles
    .filter((file) => !isTokens(file))
    .flatMap((file) => [...read(file).matchAll(pattern)].map(([all]) => `${file}: ${all.trim()}`));
}

describe('the styles', () => {
  it('use six sizes of type; paper has its own in points', () => {
    const tokens = new Set(read('ui/tokens.css').match(/--rw-type-[a-z]+(?=:)/g));
    expect(tokens.size).toBe(6);
    const literal = find(/font-size: (?!inherit|var\(--rw-type-|[\d.]+pt|min\(var\()[^;]+;/g);
    expect(literal).toEqual([]);
    const used = find(/var\(--rw-type-[a-z]+\)/g).map((one) => /--rw-type-[a-z]+/.exec(one)?.[0]);
    expect(new Set(used)).toEqual(tokens);
  });

  it('keep distances on the grid of 4 px, small ones on its halves', () => {
    const inside = find(/\b(?:gap|padding|margin)[a-z-]*: [^;]+;/g);
    const isOff = (one: string): boolean =>
      [...one.matchAll(/(?<![\w.-])(\d+)px/g)].some(([, value]) => {
        const px = Number(value);
        return px % 2 === 1 && px > 1;
      });
    expect(inside.filter(isOff)).toEqual([]);
  });

  it('state the size of what fingers press once', () => {
    const ofPhones = styles
      .filter((file) => !isTokens(file))
      .filter((file) => {
        const [, ...blocks] = read(file).split('@media (max-width: 959.98px) {');
        return blocks.some((block) =>
          /(?:height|[^-]width): 44px;/.test(block.split('\n}')[0] ?? ''),
        );
      });
    expect(ofPhones).toEqual([]);
  });

  it('have each class that a component names, and no other', () => {
    const named = new Map<string, Set<string>>();
    const missing: string[] = [];
    for (const file of files.filter((one) => /\.tsx?$/.test(one) && !/\.test\./.test(one))) {
      const code = read(file);
      for (const [, name, from] of code.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)) {
        const style = path.join(path.dirname(file), String(from));
        const known = named.get(style) ?? new Set();
        named.set(style, known);
        for (const [, own] of code.matchAll(new RegExp(`(?<![/\\w-])${name}\\.(\\w+)`, 'g'))) {
          known.add(String(own));
          if (!classesOf(style).has(String(own))) missing.push(`${file}: ${own}`);
        }
        // A value picks among all classes of the file.
        if (new RegExp(`\\b${name}\\[`).test(code))
          for (const one of classesOf(style)) known.add(one);
      }
    }
    expect(named.size).toBeGreaterThan(100);
    const unused = [...named].flatMap(([style, known]) =>
      [...classesOf(style)].filter((one) => !known.has(one)).map((one) => `${style}: ${one}`),
    );
    expect({ missing, unused }).toEqual({ missing: [], unused: [] });
  });
});

const seen = new Map<string, Set<string>>();
function classesOf(style: string): Set<string> {
  const found =
    seen.get(style) ??
    new Set(
      [
        ...read(style)
          .replace(/\/\*[\s\S]*?\*\/|:global\([^)]*\)/g, '')
          .matchAll(/\.([a-zA-Z]\w*)(?=[^;{}]*\{)/g),
      ].map(([, name]) => String(name)),
    );
  seen.set(style, found);
  return found;
}
