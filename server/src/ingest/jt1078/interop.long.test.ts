// The registrar of the simulated fleet, which reads the standard by itself, against this server: its recordings are listed,
// uploaded by FTP, verified and counted.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openJt808Terminal } from '@ridewatch/unit/src/jt808/terminal.ts';
import type { RecordedFile } from '@ridewatch/unit/src/jt1078/messages.ts';
import { createRegistrar, type Registrar } from '@ridewatch/unit/src/jt1078/registrar.ts';
import { createTimers } from '@ridewatch/unit/src/uplink/timers.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { countFragmentJob } from '../../counts/count-job.ts';
import { makeClip } from '../../test/clip.ts';
import { RECORDED_MS, WAIT } from '../../test/fake-registrar.ts';
import { createRegistrarWorld } from '../../test/registrar.ts';
import { useWorld } from '../../test/use-world.ts';
import { verify } from '../../test/video.ts';

const HOURS = 8;
const MINUTE_MS = 60_000;
const world = useWorld(createRegistrarWorld);
const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-interop-'));
let registrar: Registrar | undefined;
afterEach(async () => {
  await registrar?.close();
  rmSync(folder, { recursive: true });
});

it('a range is listed, uploaded, verified and counted', async () => {
  const clip = makeClip();
  const file = path.join(folder, 'video.mp4');
  writeFileSync(file, clip);
  const files = [0, 10, 70].map((minute): RecordedFile => {
    const startMs = RECORDED_MS + minute * MINUTE_MS;
    return { channel: 1, startMs, endMs: startMs + 10 * MINUTE_MS, sizeBytes: clip.length };
  });
  const bus = await world.freshBus({ clock_hours: HOURS });
  const failures: Error[] = [];
  registrar = createRegistrar({
    ...{ camera: { phone: bus.phone, codec: 'h264' }, clockHours: HOURS, retryMs: 1 },
    ...{ timers: createTimers(0), signal: new AbortController().signal },
    list: ({ channel, startMs = 0, endMs = Number.POSITIVE_INFINITY }) =>
      files.filter((one) => one.channel === channel && one.startMs < endMs && one.endMs > startMs),
    open: (_file, deliver) => deliver(file),
    links: () => 0b100,
    canShow: () => false,
    live: () => Promise.resolve(),
    onFailure: (error) => failures.push(error),
  });
  const port = world.jt808.listener.openPort();
  const identity = { phone: bus.phone, form: '2013' } as const;
  const terminal = await openJt808Terminal(port, '127.0.0.1', identity, registrar.take);
  await terminal.signIn();
  registrar.attach(terminal);

  await world.ask(bus, bus.cameras.door1, 0, 60);
  await world.ended(bus, 'fetch_range', ['done']);
  await world.ended(bus, 'fetch_segment', ['done', 'done']);
  const { db } = world.server.deps.database;
  const uploads = await vi.waitFor(async () => {
    const whole = await db
      .selectFrom('uploads')
      .select(['id', 'segment_id', 'received_bytes'])
      .where('unit_id', '=', bus.unitId)
      .where('finished_at', 'is not', null)
      .execute();
    expect(whole.map(({ received_bytes }) => received_bytes)).toEqual([clip.length, clip.length]);
    return whole;
  }, WAIT);
  const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
  for (const { id, segment_id: segmentId } of uploads) {
    await verify(world.server, id);
    await countFragmentJob(world.server.deps).run({ segmentId }, context);
  }
  expect((await world.fragments(bus)).map(({ from, to, status }) => [from, to, status])).toEqual([
    [0, 10, 'PROCESSED'],
    [10, 20, 'PROCESSED'],
  ]);
  expect(await world.requests(bus)).toMatchObject([{ state: 'done', total: 2, here: 2 }]);
  expect(failures).toEqual([]);
  terminal.link.close();
});
