import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const MAIN = path.resolve(import.meta.dirname, 'main.ts');

describe('a start that cannot be', () => {
  it.each([
    ['a port that is none', { PORT: 'abc' }, [], /^PORT is invalid: must be a port number\n$/],
    [
      'a public address with a path',
      { PUBLIC_URL: 'https://a.example/b' },
      [],
      /^PUBLIC_URL is .+\n$/,
    ],
    ['a public address without a scheme', { PUBLIC_URL: 'a.example' }, [], /^PUBLIC_URL is .+\n$/],
    ['a pool without a number', { DATABASE_POOL: 'x' }, [], /^DATABASE_POOL is invalid: .+\n$/],
    [
      'a clock that is off by no number',
      { CLOCK_OFFSET_MS: '3 h' },
      [],
      /^CLOCK_OFFSET_MS is .+\n$/,
    ],
    ['an unknown role', {}, ['--roles', 'driver'], /^--roles: 'driver' is not one of .+\n$/],
    ['an unknown argument', {}, ['--bogus'], /^Unknown option '--bogus'.*\n$/],
  ])('with %s ends with one sentence', (_name, env, args, sentence) => {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(sentence)]);
  });
});
