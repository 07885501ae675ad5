import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteLogLine } from './story-faults.ts';

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
  const notes = readFileSync(path.join(folder, 'faults.jsonl'), 'utf8').trim().split('\n');
  expect(notes.map((note) => JSON.parse(note))).toEqual(
    [ERROR, AWAY].map((line) => ({ file: 'e2e/some.test.ts', text: `the server logged ${line}` })),
  );
});
