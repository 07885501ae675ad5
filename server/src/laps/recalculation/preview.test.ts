import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Viewer } from '../../core/viewer.ts';
import type { TestBus } from '../../test/fleet.ts';
import { createLapDays, DAY, MINUTE_MS, START_MS } from '../../test/lap-days.ts';
import { DayLimitError } from '../computation/day-limit.ts';
import { type ComputeDay, lapsOfPackedDay } from '../computation/packed-day.ts';
import { createPreviewTurns } from './preview-turns.ts';
import { previewRecalculation } from './recalculate.ts';

let days: Awaited<ReturnType<typeof createLapDays>>;
let bus: TestBus;
beforeAll(async () => {
  days = await createLapDays();
  bus = await days.newBus();
  await days.sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
});
afterAll(() => days.server.close());

const change = { date: DAY, laps_before: 0, laps_after: 1 };

/** A user with the edit right on everything. */
function userOf(userId: number): Viewer {
  const access = {
    role: 'ADMIN',
    clientId: null,
    clientIds: 'all',
    canEdit: true,
    viewedBy: null,
  } as const;
  return { userId, sessionId: `${userId}`, login: `${userId}`, ...access };
}

/** A process in which computing a day takes a set time, by its own clock. */
function createProcess() {
  const turns = createPreviewTurns();
  let nowMs = 0;
  let asked = 0;
  const counted: typeof turns = {
    take: (...question) => {
      asked += 1;
      return turns.take(...question);
    },
  };
  return {
    /** Number of requested turns. */
    asked: () => asked,
    lasting:
      (ms: number): ComputeDay =>
      async (day) => {
        nowMs += ms;
        return lapsOfPackedDay(day);
      },
    preview: (userId: number, dateFrom: string, dateTo: string, computeDay: ComputeDay) =>
      previewRecalculation(
        { db: days.server.deps.database.db, computeDay, turns: counted, elapsedMs: () => nowMs },
        userOf(userId),
        { busId: bus.busId, dateFrom, dateTo },
        days.server.clock.nowMs(),
      ),
  };
}

describe('a preview of a recalculation', () => {
  it('shows what it has after twenty seconds, and until which day it looked', async () => {
    const { preview, lasting } = createProcess();
    expect(await preview(1, '2026-03-08', '2026-03-31', lasting(6_000))).toMatchObject({
      items: [change],
      failed: [],
      looked_until: '2026-03-11',
    });
    expect(await preview(1, '2026-03-08', DAY, lasting(6_000))).toMatchObject({
      items: [change],
      looked_until: DAY,
    });
  });

  it('ends with a day that takes too long', async () => {
    const { preview } = createProcess();
    let day = 0;
    const second: ComputeDay = async (packed) => {
      day += 1;
      if (day === 2) throw new DayLimitError('too_long');
      return lapsOfPackedDay(packed);
    };
    expect(await preview(1, DAY, '2026-03-31', second)).toMatchObject({
      items: [change],
      failed: [{ date: '2026-03-11', reason: 'too_long' }],
      looked_until: '2026-03-11',
    });
  });

  it('is whole beside three slow ones of somebody else: who waits does not compute', async () => {
    const { preview, lasting } = createProcess();
    const slow = [1, 2, 3].map(() => preview(1, '2026-03-01', '2026-03-31', lasting(19_000)));
    const quick = preview(2, '2026-03-03', DAY, lasting(60));
    expect(await quick).toMatchObject({ items: [change], looked_until: DAY });
    for (const { looked_until } of await Promise.all(slow)) {
      expect(looked_until).toMatch(/^2026-03-0[1-3]$/);
    }
  });

  it('lets others go first once it had its turn, and shows what it has when they take too long', async () => {
    const { preview, lasting, asked } = createProcess();
    const order: string[] = [];
    const lastingAs =
      (name: string, ms: number): ComputeDay =>
      async (day) => {
        order.push(name);
        return lasting(ms)(day);
      };
    let others: ReturnType<typeof preview>[] = [];
    const long = preview(1, '2026-03-08', '2026-03-31', async (day) => {
      if (order.length === 0) {
        others = [2, 3].map((id) => preview(id, '2026-03-09', DAY, other));
        await vi.waitFor(() => expect(asked()).toBe(3));
      }
      return lastingAs('long', 1_000)(day);
    });
    const other: ComputeDay = async (day) => {
      // The second computations of the others end after the long preview has given up its turn.
      if (order.filter((name) => name === 'other').length >= 2) await long;
      return lastingAs('other', 16_000)(day);
    };
    expect(await long).toMatchObject({ items: [change], looked_until: '2026-03-11' });
    for (const one of await Promise.all(others)) {
      expect(one).toMatchObject({ items: [change], looked_until: DAY });
    }
    const turns = ['long', 'long', 'other', 'other'];
    expect(order).toEqual([...turns, ...turns]);
  });
});
