import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** Who may ask the machine what time it is, and why. */
const MAY_ASK: Readonly<Record<string, string>> = {
  'server/src/clock.ts': 'the clock itself',
  'unit/src/uplink/timers.ts': 'the clock of units itself',
  'server/src/database-process.ts': 'how long another process is waited for',
};

const linesOf = (file: string): string[] => readFileSync(path.join(root, file), 'utf8').split('\n');

function sources(): string[] {
  return globSync('{contract,server,unit}/src/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('server/src/test/'));
}

describe('the time of what happens', () => {
  it("is the process's clock: nobody else asks the machine", () => {
    const asking = /\bDate\.now\b|\bnew Date\(\)/;
    const files = sources().filter((file) => linesOf(file).some((line) => asking.test(line)));
    expect(files.sort()).toEqual(Object.keys(MAY_ASK).sort());
  });
});
