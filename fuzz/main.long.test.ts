// The command, as somebody starts it.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

/** Starts the command. @returns how it ended, and what it said */
const run = (...args: string[]): Promise<{ code: number; out: string; said: string }> =>
  new Promise((resolve) => {
    const main = path.join(import.meta.dirname, 'main.ts');
    execFile(process.execPath, [main, ...args], (error, out, said) =>
      resolve({ code: Number(error?.code ?? 0), out, said }),
    );
  });

it.each([
  ['--parsers', 'wialon', "--parsers 'wialon' is none of egts, jt808, osmand, jt1078, ftp, all"],
  ['--frames', 'many', "--frames must be a number, not 'many'"],
])('says in one sentence that %s cannot be %s', async (flag, value, sentence) => {
  expect(await run(flag, value)).toEqual({ code: 1, out: '', said: `${sentence}\n` });
});

it('feeds a parser that is named', async () => {
  const { code, out } = await run(
    ...['--parsers', 'ftp', '--frames', '200', '--seed', '1', '--sockets', '0'],
  );
  expect([code, out]).toEqual([0, expect.stringMatching(/^ftp: 200 frames, .*: clean$/m)]);
});
