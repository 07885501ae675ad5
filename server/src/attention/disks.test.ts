// The disks of an installation in both rooms that speak of them: the notices, and the storage section.
import { findStorage } from '@ridewatch/contract/admin-work';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAdministration } from '../administration/api.ts';
import { addAuth } from '../auth/api.ts';
import type { Disk } from '../core/disk.ts';
import { causesOf } from '../test/attention.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertStoredFragment } from '../test/stored-fragment.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAttention } from './api.ts';
import { watchAttentionJob } from './watch-job.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const GB = 1e9;

let server: TestServer;
let fleet: TestFleet;
beforeEach(async () => {
  server = await createTestServer([addAuth, addAttention, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterEach(() => server.close());

/** A worker with a disk, of 1000 GB by default, looks for what needs attention when it is told how much is used. */
function workerOn(machine: string, totalGb = 1000): (usedGb: number) => Promise<void> {
  let usedGb = 0;
  const disk: Disk = {
    ...{ machine, limits: server.disk.limits },
    read: async () => ({ totalBytes: totalGb * GB, freeBytes: (totalGb - usedGb) * GB }),
  };
  const job = watchAttentionJob({ ...server.deps, disk });
  return async (used) => {
    usedGb = used;
    await job.run({}, {} as never);
  };
}
const minutesLater = (minutes: number) => server.clock.advance(minutes * MINUTE_MS);
const daysLater = (days: number) => server.clock.advance(days * DAY_MS);

const notices = async (): Promise<object[]> => {
  const { items } = await causesOf(server, await server.signIn('admin'));
  return items.map(({ details }: { details: object }) => details);
};
async function storage(): Promise<ResponseOf<typeof findStorage>> {
  const answer = await server.app.inject({
    url: findStorage.path,
    headers: { authorization: `Bearer ${await server.signIn('admin')}` },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const storageDisks = async () => (await storage()).disks;

describe('the notice of a disk and the storage section', () => {
  let look: ReturnType<typeof workerOn>;
  beforeEach(() => {
    look = workerOn('worker-1');
  });

  it('say the same number of days until it is crowded', async () => {
    await look(600);
    daysLater(2);
    await look(660);
    expect(await notices()).toEqual([{ kind: 'runs_out', what: 'disk', name: null, days: 6 }]);
    // 190 GB are left until 85 %, at 30 GB a day.
    expect(await storageDisks()).toMatchObject([{ days_left: 6 }]);
    expect((await storageDisks())[0]?.day_bytes).toBeCloseTo(30 * GB, -9);
  });

  it('say nothing of its end while old video is deleted as fast as new comes', async () => {
    await look(800);
    daysLater(3);
    const startMs = server.clock.nowMs() - DAY_MS;
    const video = Buffer.alloc(700_000);
    await insertStoredFragment(server, fleet.firstBus, { startMs, lengthMs: 20_000, video });
    await look(800);
    expect(await notices()).toEqual([]);
    expect(await storageDisks()).toMatchObject([{ percent: 80, days_left: null, day_bytes: 0 }]);
  });

  it('do not know its pace before a day has passed', async () => {
    await look(600);
    minutesLater(23 * 60);
    await look(840);
    expect(await notices()).toEqual([]);
    expect(await storageDisks()).toMatchObject([{ percent: 84, days_left: null, day_bytes: null }]);
  });
});

describe('the storage section', () => {
  it('shows the disk that the worker read last, and when', async () => {
    server.disk.set({ totalBytes: 50 * GB, freeBytes: 49 * GB });
    await workerOn('worker-1')(700);
    const readAt = new Date(server.clock.nowMs()).toISOString();
    minutesLater(20);
    expect(await storageDisks()).toEqual([
      {
        ...{ machine: 'worker-1', total_bytes: 1000 * GB, free_bytes: 300 * GB, percent: 70 },
        ...{ day_bytes: null, days_left: null, read_at: readAt },
      },
    ]);
  });

  it('knows no days until a disk without a size is crowded', async () => {
    await workerOn('worker-1', 0)(0);
    expect(await storageDisks()).toMatchObject([{ percent: 0, days_left: null }]);
  });

  it('shows the last reading however old it is while no worker runs', async () => {
    await workerOn('worker-1')(700);
    daysLater(3);
    expect(await storageDisks()).toMatchObject([{ machine: 'worker-1', percent: 70 }]);
  });

  it('shows its own disk before any worker has read one', async () => {
    server.disk.set({ totalBytes: 50 * GB, freeBytes: 30 * GB });
    expect(await storageDisks()).toMatchObject([
      {
        ...{ machine: server.disk.machine, total_bytes: 50 * GB, percent: 40, days_left: null },
        read_at: new Date(server.clock.nowMs()).toISOString(),
      },
    ]);
  });
});

describe('two workers on two machines', () => {
  let first: ReturnType<typeof workerOn>;
  let second: ReturnType<typeof workerOn>;
  beforeEach(() => {
    [first, second] = [workerOn('worker-1'), workerOn('worker-2')];
  });
  const full = (machine: string) => ({ kind: 'disk_full', percent: 96, machine });

  it('leave the notice of each other’s full disk open, and name its machine', async () => {
    await second(500);
    for (let minute = 0; minute < 3; minute += 1) {
      await first(960);
      expect(await notices()).toEqual([full('worker-1')]);
      minutesLater(1);
      await second(500);
      expect(await notices()).toEqual([full('worker-1')]);
      minutesLater(1);
    }
    await second(965);
    expect(await notices()).toEqual([full('worker-2'), full('worker-1')]);
    await first(500);
    expect(await notices()).toEqual([full('worker-2')]);
  });

  it('leave the notice of each other’s disk that fills open, in the storage section, too', async () => {
    await first(600);
    await second(300);
    daysLater(2);
    await first(660);
    await second(300);
    const filling = { kind: 'runs_out', what: 'disk', name: 'worker-1', days: 6 };
    expect(await notices()).toEqual([filling]);
    minutesLater(1);
    await second(300);
    expect(await notices()).toEqual([filling]);
    expect(await storageDisks()).toMatchObject([
      { machine: 'worker-1', days_left: 6 },
      { machine: 'worker-2', percent: 30, days_left: null, day_bytes: 0 },
    ]);
  });

  it('lose the notices of a machine that has read no disk for a day', async () => {
    await first(960);
    await second(500);
    minutesLater(23 * 60);
    await second(500);
    expect(await notices()).toEqual([full('worker-1')]);
    minutesLater(61);
    await second(500);
    expect(await notices()).toEqual([]);
    expect(await storageDisks()).toMatchObject([{ machine: 'worker-2' }]);
  });

  it('lose them, too, when the clock was set back meanwhile', async () => {
    await first(500);
    await second(960);
    daysLater(-40);
    daysLater(2);
    await first(500);
    expect(await notices()).toEqual([]);
    expect(await storageDisks()).toMatchObject([{ machine: 'worker-1' }]);
  });

  it('keep them while the clock of one machine is ahead of the other', async () => {
    minutesLater(10);
    await second(960);
    minutesLater(-10);
    await first(500);
    expect(await notices()).toEqual([full('worker-2')]);
  });

  it('know the pace of a disk by no reading from before the clock was set back', async () => {
    await first(100);
    daysLater(-40);
    await first(600);
    daysLater(40 + 2);
    await first(660);
    expect(await notices()).toEqual([]);
    expect(await storageDisks()).toMatchObject([{ machine: 'worker-1', day_bytes: null }]);
  });
});
