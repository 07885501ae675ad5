import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { busDay } from './day.ts';
import { createDays } from './days.ts';
import { DEMO_SEED, planFleet } from './plan.ts';
import { createTruthWriter } from './truth-writer.ts';

const DAY = '2026-11-20';

it('the file of --truth is that of the run before until all of the new one is written', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-truth-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'truth.json');
  await writeFile(file, 'the run before');
  const [bus] = planFleet(1).buses;
  if (bus === undefined) throw new Error('The fleet has no bus.');
  const { startMs, endMs } = busDay(DEMO_SEED, bus, DAY);
  const flags = { seed: DEMO_SEED, data: undefined, truth: file };
  const writer = createTruthWriter(flags, createDays(DEMO_SEED, 2));
  await writer.writeAll({ bus, sentUntilMs: endMs }, startMs);
  // A run that is killed here leaves the file so.
  expect(await readFile(file, 'utf8')).toBe('the run before');
  await writer.close();
  const { days } = JSON.parse(await readFile(file, 'utf8'));
  expect(days).toMatchObject([{ device_id: bus.deviceId, day: DAY }]);
  expect(await readdir(folder)).toEqual(['truth.json']);
});
