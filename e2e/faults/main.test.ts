import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-faults-'));
  file = path.join(folder, 'state.json');
  await writeFile(file, JSON.stringify({ sizes: { seed: 1 }, rounds: [] }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (...args: string[]): { status: number | null; said: string } => {
  const main = path.resolve(import.meta.dirname, 'main.ts');
  const { status, stderr } = spawnSync(process.execPath, [main, '--state', file, ...args]);
  return { status, said: String(stderr) };
};

describe('the command of a run of faults', () => {
  it.each([
    [
      'a run that was begun with another seed',
      ['--seed', '2'],
      /^.*state\.json is of another run; .*\n$/,
    ],
    ['an option that is none', ['--seeds', '2'], /^Unknown option '--seeds'.*\n$/],
    ['a phase that is none', ['--only', 'flood'], /^--only: 'flood' is no phase\.\n$/],
    ['a number that is none', ['--kills', 'many'], /^--kills: 'many' is no number\.\n$/],
    [
      'a report of no run',
      ['--state', 'nowhere.json', '--report'],
      /^.*nowhere\.json is not there: .*\n$/,
    ],
  ])('answers %s with one sentence', (_name, args, sentence) => {
    const { status, said } = run(...args);
    expect(said).toMatch(sentence);
    expect(status).toBe(1);
  });
});
