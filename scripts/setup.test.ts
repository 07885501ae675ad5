import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

const commands = Object.entries(scripts).flatMap(([name, command]) => {
  const entry = /^node (\S+)/.exec(command)?.[1];
  return entry === undefined ? [] : [{ name, entry }];
});

/** Packages that a program loads before its first line runs, by the static imports of its files. */
function loadedPackages(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const specifiers = text.matchAll(/^(?:import|export)(?: [\w\s{},*]+ from)? '([^']+)';/gm);
  return [...specifiers].flatMap(([, specifier = '']) => {
    if (specifier.startsWith('node:')) return [];
    if (!specifier.startsWith('.')) return [`${path.relative(root, file)} imports ${specifier}`];
    const target = path.resolve(path.dirname(file), specifier);
    expect(existsSync(target), `${target} is there`).toBe(true);
    return loadedPackages(target, seen);
  });
}

test.each(commands)('npm run $name starts before anything is installed', ({ entry }) => {
  expect(loadedPackages(path.join(root, entry))).toEqual([]);
});

test('npm start and npm test are among the commands', () => {
  expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(['start', 'test']));
});
