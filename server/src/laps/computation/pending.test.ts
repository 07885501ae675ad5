import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestBus } from '../../test/fleet.ts';
import { createLapDays, DAY, MINUTE_MS, SECOND_MS } from '../../test/lap-days.ts';
import { positionRecords } from '../../test/laps.ts';
import { lapsOfPackedDay } from './packed-day.ts';

let days: Awaited<ReturnType<typeof createLapDays>>;
beforeAll(async () => {
  days = await createLapDays();
});
afterAll(() => days.server.close());

const isPending = async (bus: TestBus): Promise<boolean> => (await days.look(bus)).pending;

/** Sends a batch of a stream, as a driving unit does: from the second one on it is stored by one statement. */
async function sendNext(bus: TestBus, stream: string, seq: number): Promise<void> {
  const nowMs = days.server.clock.nowMs();
  const answer = await days.server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    body: {
      stream,
      sent_at: new Date(nowMs).toISOString(),
      records: positionRecords([[nowMs + seq, 55.75, 37.61, 20]]).map((record) => ({
        seq,
        ...record,
      })),
    },
  });
  expect(answer.statusCode, answer.body).toBe(200);
}

describe('a day is pending', () => {
  it('from the moment that records wait until they are in its laps, again and again', async () => {
    const bus = await days.newBus();
    expect(await isPending(bus)).toBe(false);
    for (let n = 0; n < 3; n += 1) {
      days.server.clock.advance(20 * SECOND_MS);
      await days.sendBatch(bus);
      expect(await isPending(bus)).toBe(true);
      await days.run(bus, async (day) => {
        expect(await isPending(bus)).toBe(true);
        return lapsOfPackedDay(day);
      });
      expect(await isPending(bus)).toBe(false);
    }
  });

  it('when records came while its laps were worked out', async () => {
    const bus = await days.newBus();
    await days.sendBatch(bus);
    await days.run(bus, async (day) => {
      await days.sendBatch(bus);
      return lapsOfPackedDay(day);
    });
    expect(await isPending(bus)).toBe(true);
  });

  it('when it is due anyway because its last lap is to end, and stays due then', async () => {
    const { db } = days.server.deps.database;
    const settle = async (bus: TestBus) => {
      await days.run(bus);
      const due_at = new Date(days.server.clock.nowMs() + 10 * SECOND_MS);
      await db
        .updateTable('lap_days')
        .set({ due_at })
        .where('workplace_id', '=', bus.busId)
        .where('day', '=', DAY)
        .execute();
      expect(await isPending(bus)).toBe(false);
    };
    const [bus, stream] = [await days.newBus(), randomUUID()];
    for (let seq = 1; seq < 5; seq += 1) {
      await sendNext(bus, stream, seq);
      expect(await isPending(bus)).toBe(true);
      if (seq > 1) expect((await days.workOn(bus)).dueS).toBeLessThanOrEqual(10);
      await settle(bus);
    }
  });

  it('after an edit, until its laps are worked out', async () => {
    const bus = await days.newBus();
    await days.sendBatch(bus);
    await days.run(bus);
    await days.edit(bus);
    expect(await isPending(bus)).toBe(true);
    await days.run(bus);
    expect(await isPending(bus)).toBe(false);
  });

  it('and the answer to who has an older one is not 304 then', async () => {
    const bus = await days.newBus();
    const token = await days.server.signIn('operator');
    const ask = async (etag = '') => {
      const answer = await days.server.app.inject({
        url: `/api/bus-stop/day-laps?workplaceId=${bus.busId}&date=${DAY}`,
        headers: { authorization: `Bearer ${token}`, 'if-none-match': etag },
      });
      return { status: answer.statusCode, etag: `${answer.headers.etag}` };
    };
    await days.sendBatch(bus);
    await days.run(bus);
    const settled = await ask();
    expect(await ask(settled.etag)).toEqual({ status: 304, etag: settled.etag });
    days.server.clock.advance(MINUTE_MS);
    await days.sendBatch(bus);
    const waiting = await ask(settled.etag);
    expect(waiting.status).toBe(200);
    expect((await ask(waiting.etag)).status).toBe(304);
    await days.run(bus);
    expect((await ask(waiting.etag)).status).toBe(200);
  });
});
