import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteLogLine, watchEnd } from '../harness/story-faults.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-faults-'));
  vi.stubEnv('STORY_FAULTS', path.join(folder, 'faults.jsonl'));
  vi.stubEnv('STORY_FILE', 'e2e/some.test.ts');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function notes(): unknown[] {
  const file = path.join(folder, 'faults.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

const ERROR = '{"level":50,"time":1,"requestId":"a","msg":"failed"}';
const AWAY = '{"level":40,"time":1,"reason":"terminating connection","msg":"unavailable"}';

it('errors and 5xx answers of a server are noted with their file; warnings and half a line are not', () => {
  for (const line of [
    ERROR,
    '{"level":40,"time":1,"msg":"the clock is shifted"}',
    '{"level":40,"time":1,"pid":3,"reque',
    'browser: chromium',
    AWAY,
  ]) {
    noteLogLine(line);
  }
  expect(notes()).toEqual(
    [ERROR, AWAY].map((line) => ({ file: 'e2e/some.test.ts', text: `the server logged ${line}` })),
  );
});

it.each([
  ['by itself', 'process.exit(7)', [{ file: 'e2e/some.test.ts', text: 'the server ended with 7' }]],
  ['because the story wants it', 'setInterval(() => {}, 1000)', []],
])('a server that ends %s is noted as: %j', async (_how, program, expected) => {
  const server = spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
  const wantEnd = watchEnd(server);
  const ended = once(server, 'exit');
  if (expected.length === 0) {
    wantEnd();
    server.kill('SIGKILL');
  }
  await ended;
  expect(notes()).toEqual(expected);
});
