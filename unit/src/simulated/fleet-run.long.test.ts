import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { addDays, dayOf } from '@ridewatch/contract/day';
import { Batch, UnitRecord } from '@ridewatch/contract/unit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SetUpError } from '../fleet-set-up.ts';
import type { Timers } from '../uplink/timers.ts';
import { busDay } from './day.ts';
import { readFlags } from './flags.ts';
import { runFleet } from './fleet-run.ts';
import { planFleet } from './plan.ts';
import { streamOf } from './records.ts';

/** The records of the fake server by unit, stream and number; a repeated number with other content fails the test. */
const stored = new Map<string, string>();
/** The older records that batches told of. */
let backlogs: { credential: string; from: string | null }[] = [];
let setUps = 0;
let twice = 0;
let folder = '';
let url = '';
const server = createServer((request, response) => void answer(request, response));

beforeEach(async () => {
  stored.clear();
  backlogs = [];
  nowMs = NOW_MS;
  setUps = 0;
  twice = 0;
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-fleet-'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const json = (value: unknown, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  switch (request.url?.split('?')[0]) {
    case '/oauth/token': {
      if (!body.toString().includes('password=right')) {
        return json(
          { error: 'invalid_grant', message: 'The username or the password is wrong.' },
          400,
        );
      }
      return json({ access_token: 'a', refresh_token: 'r', token_type: 'bearer', expires_in: 900 });
    }
    case '/api/fleet': {
      setUps += 1;
      const units = planFleet(2).buses.map(({ deviceId }, index) => ({
        device_id: deviceId,
        bus_id: index + 1,
        credential: deviceId,
      }));
      return json({ customers: [{ id: 1, name: 'Анна' }], units });
    }
    case '/unit/v1/me':
      return json({
        unit_id: 1,
        device_id: 'x',
        server_time: new Date().toISOString(),
        cameras: [],
      });
    case '/unit/v1/batches':
      return json(
        store(request.headers.authorization ?? '', JSON.parse(gunzipSync(body).toString())),
      );
    // The long poll for commands stays open.
  }
}

function store(credential: string, body: unknown): unknown {
  const { stream, records, sent_at, backlog_from: from } = Batch.parse(body);
  if (typeof from === 'string' || from === null) backlogs.push({ credential, from });
  const parsed = records.map((record) => UnitRecord.parse(record));
  for (const record of parsed) {
    const key = `${credential} ${stream} ${record.seq}`;
    const content = JSON.stringify(record);
    if (stored.has(key)) twice += 1;
    expect(stored.get(key) ?? content).toBe(content);
    stored.set(key, content);
  }
  return {
    server_time: sent_at,
    acknowledged: parsed.map(({ seq }) => [seq, seq]),
    refused: [],
  };
}

const NOW_MS = Date.parse('2026-11-20T09:00:00Z');
let nowMs = NOW_MS;
/** A clock that advances a little with each `sleep`. */
const timers: Timers = {
  nowMs: () => nowMs,
  sleep: async () => {
    nowMs += 10;
    await new Promise((resolve) => setImmediate(resolve));
  },
};

async function run(...more: string[]): Promise<string[]> {
  const lines: string[] = [];
  const args = ['--url', url, '--buses', '2', '--until-now', '--data', folder, ...more];
  await runFleet({
    flags: readFlags(args, 'right'),
    ffmpegPath: 'ffmpeg',
    timers,
    signal: new AbortController().signal,
    say: (line) => lines.push(line),
  });
  return lines;
}

it('tells the whole history of every bus, up to now, and writes what really happened', async () => {
  const lines = await run('--days', '1');
  expect(lines).toContain('ready');
  expect(lines.filter((line) => /^prepare \d+ % history of /.test(line)).length).toBeGreaterThan(3);
  for (const bus of planFleet(2).buses) {
    const yesterday = addDays(dayOf(NOW_MS, bus.zone), -1);
    const world = busDay(1, bus, yesterday);
    const prefix = `Bearer ${bus.deviceId} ${streamOf(1, world)} `;
    const told = [...stored]
      .filter(([key]) => key.startsWith(prefix))
      .map(([, text]) => JSON.parse(text));
    const events = told
      .filter(({ type }) => type === 'passenger')
      .map(({ time }) => Date.parse(time));
    expect(events.sort((a, b) => a - b)).toEqual(world.crossings.map(({ atMs }) => atMs));
    expect(told.filter(({ type }) => type === 'segment')).toHaveLength(world.fragments.length);
    const file = path.join(folder, 'simulated/truth', bus.deviceId, `${yesterday}.json`);
    const truth = JSON.parse(await readFile(file, 'utf8'));
    const { entered, exited } = truth;
    expect(entered.adult + entered.kids + exited.adult + exited.kids).toBe(events.length);
  }
});

it('goes on from where the last run ended, with the same credentials and no number twice', async () => {
  await run('--days', '1');
  const before = stored.size;
  await run('--days', '1');
  expect(setUps).toBe(1);
  expect(twice).toBe(0);
  expect(stored.size).toBeGreaterThanOrEqual(before);
  expect((await stat(path.join(folder, 'simulated/state.json'))).mode & 0o777).toBe(0o600);
});

it('sends the weeks before the history afterwards, the newest day first, and says how far back it goes', async () => {
  await run('--days', '1', '--earlier', '1');
  const told = [...stored].map(([key, text]) => ({ key, ...JSON.parse(text) }));
  for (const bus of planFleet(2).buses) {
    const today = dayOf(NOW_MS, bus.zone);
    const days = Array.from({ length: 9 }, (_, ago) => addDays(today, -ago));
    const streams = days.map((day) => `Bearer ${bus.deviceId} ${streamOf(1, { bus, day })} `);
    const firstAt = streams.map((prefix) => told.findIndex(({ key }) => key.startsWith(prefix)));
    // Yesterday is the history, and precedes today.
    const [ofToday = 0, ofYesterday, ...earlier] = firstAt;
    expect([ofYesterday, ofToday, ...earlier]).toEqual(firstAt.toSorted((a, b) => a - b));
    const oldest = busDay(1, bus, days.at(-1) ?? '');
    const own = told.filter(({ key }) => key.startsWith(streams.at(-1) ?? ''));
    const people = own.filter(({ type }) => type === 'passenger');
    expect(people.map(({ time }) => Date.parse(time)).sort((a, b) => a - b)).toEqual(
      oldest.crossings.map(({ atMs }) => atMs),
    );
    expect(own.filter(({ video }) => video === 'queued')).toEqual([]);
    const times = own.flatMap(({ type, time }) => (type === 'position' ? [Date.parse(time)] : []));
    const apart = times.slice(1).map((ms, index) => ms - (times[index] ?? 0));
    // A parked bus reports once a minute.
    expect([...new Set(apart)].filter((ms) => ms !== 60_000)).toEqual([30_000]);
    const said = backlogs.filter(({ credential }) => credential === `Bearer ${bus.deviceId}`);
    const oldestTime = new Date(oldest.startMs).toISOString();
    expect(new Set(said.slice(0, -1).map(({ from }) => from))).toEqual(new Set([oldestTime]));
    expect(said.at(-1)?.from).toBeNull();
  }
  expect(twice).toBe(0);
});

it('goes on with the earlier weeks where the last run ended', async () => {
  await run('--days', '1', '--earlier', '1');
  const before = stored.size;
  await run('--days', '1', '--earlier', '2');
  expect(twice).toBe(0);
  const [bus] = planFleet(2).buses;
  if (bus === undefined) throw new Error('The fleet has no bus.');
  const oldest = { bus, day: addDays(dayOf(NOW_MS, bus.zone), -15) };
  const prefix = `Bearer ${bus.deviceId} ${streamOf(1, oldest)} `;
  expect([...stored.keys()].slice(before).some((key) => key.startsWith(prefix))).toBe(true);
  await run('--days', '1', '--earlier', '2');
  expect(twice).toBe(0);
});

it('may tell everything again when its memory was lost, under the same numbers', async () => {
  await run('--days', '1');
  const before = stored.size;
  await rm(path.join(folder, 'simulated/state.json'));
  await run('--days', '1');
  expect(twice).toBeGreaterThanOrEqual(before - 200);
});

it('catches up with the clock at any pace', async () => {
  await run('--days', '1', '--speed', '1000000');
  const times = [...stored.values()].map((text) => Date.parse(JSON.parse(text).time));
  const newestMs = times.reduce((newest, ms) => Math.max(newest, ms), 0);
  expect(newestMs).toBeLessThanOrEqual(nowMs);
  expect(newestMs).toBeGreaterThan(NOW_MS - 120_000);
});

it('says in a sentence that the password is wrong', async () => {
  const flags = readFlags(['--url', url, '--buses', '2'], 'wrong');
  const running = runFleet({
    flags,
    ffmpegPath: 'ffmpeg',
    timers,
    signal: new AbortController().signal,
    say: () => {},
  });
  await expect(running).rejects.toThrow(SetUpError);
  await expect(running).rejects.toThrow(
    "Signing in as 'admin' failed: The username or the password",
  );
});
