import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { dayOf } from '@ridewatch/contract/day';
import { Batch } from '@ridewatch/contract/unit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDays } from './days.ts';
import { planFleet } from './plan.ts';
import { createUnit } from './simulated-unit.ts';

const HOUR_MS = 3_600_000;

/** A server that acknowledges a batch when the test says so. */
let batches: { records: number[]; response: ServerResponse }[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { records } = Batch.parse(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()));
  const numbers = records.map((record) => (record as { seq: number }).seq);
  batches.push({ records: numbers, response });
});

function acknowledge(): void {
  for (const { records, response } of batches) {
    const acknowledged = records.map((seq) => [seq, seq]);
    const body = { server_time: new Date().toISOString(), acknowledged, refused: [] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
  batches = [];
}

beforeEach(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('has nothing to upload before the server knows of the fragment', async () => {
  const [bus] = planFleet(1).buses;
  if (bus === undefined) throw new Error('no bus');
  const none = () => Promise.reject(new Error('no clip'));
  const days = createDays(1, 4);
  const { port } = server.address() as AddressInfo;
  const day = days.find(bus, dayOf(Date.parse('2026-11-20T09:00:00Z'), bus.zone));
  const unit = createUnit({
    bus,
    days,
    studio: { make: none, makeAll: none, close: async () => {} },
    url: `http://127.0.0.1:${port}`,
    credential: 'x',
    ffmpegPath: 'ffmpeg',
    timers: { nowMs: () => day.endMs, sleep: async () => {} },
    isQueued: () => true,
    onRefused: () => {},
    onFailure: () => {},
  });
  const firstMs = day.fragments[0]?.startMs ?? day.startMs;
  unit.sentUntilMs = firstMs;
  const telling = unit.sendUntil(firstMs + HOUR_MS, 5000, new AbortController().signal);
  await vi.waitFor(() => expect(batches).toHaveLength(1));
  expect(unit.pending).toEqual([]);
  acknowledge();
  await telling;
  expect(unit.pending.length).toBeGreaterThan(0);
});
