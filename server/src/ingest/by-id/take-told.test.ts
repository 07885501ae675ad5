// Fates of the messages of a unit in any protocol, and the metrics that they raise.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../core/errors.ts';
import { createEgtsWorld, EGTS_DAY_MS, type EgtsBus } from '../../test/egts.ts';
import { listPositions } from '../../test/positions.ts';
import { useWorld } from '../../test/use-world.ts';
import type { StoreAnswer } from '../store/answer.ts';
import { BOUNDS } from '../store/bounds.ts';
import { createRecordStore, type RecordStore, recordStoreOf } from '../store/record-store.ts';
import type { StoreRefusal } from '../store/records.ts';
import { createKnocks } from './knocks.ts';
import { positionNumber } from './numbers.ts';
import type { ToldRecord } from './store-told.ts';
import { createTakeTold } from './take-told.ts';
import type { Told } from './told.ts';
import { createUnitFinder } from './units.ts';

const world = useWorld(createEgtsWorld);
let bus: EgtsBus;
beforeEach(async () => {
  bus = await world.freshBus();
});

type Message = Told<object, string>;

function take(messages: readonly Message[], store?: RecordStore) {
  const { metrics, log } = world.server.deps;
  const takeTold = createTakeTold<object, string>({
    ...{ metrics, log, knocks: { note: () => undefined }, standard: {}, waitMs: 5000 },
    store: store ?? recordStoreOf(world.server.deps),
    findUnits: createUnitFinder(world.server.deps, 'egts', () => ({})),
  });
  return takeTold(messages, '10.0.0.7', world.server.clock.nowMs());
}

const position = (second: number): ToldRecord => {
  const sentMs = EGTS_DAY_MS + second * 1000;
  return {
    ...{ type: 'position', seq: positionNumber(sentMs), sentMs, speedKmh: 30 },
    ...{ place: { latitude: 55.7, longitude: 37.6 }, course: 0, satellites: null, hdop: null },
  };
};

const raw = () => '';

describe('an outcome that the store does not know', () => {
  /** A message with positions and one thing that nobody can read. */
  const odd = (id: number, ...records: ToldRecord[]): Message => ({
    ...{ ids: [`${id}`], raw },
    read: (_, note) => {
      note('passenger', 'odd');
      return records;
    },
  });
  const counted = async (): Promise<number> => {
    const { values } = await world.server.deps.metrics.records.get();
    return values.find(({ labels }) => labels.outcome === 'odd')?.value ?? 0;
  };

  it('counts once its message is stored, and not when that comes again', async () => {
    const before = await counted();
    expect(await take([odd(bus.object, position(0))])).toEqual(['stored']);
    expect(await counted()).toBe(before + 1);
    expect(await take([odd(bus.object, position(0))])).toEqual(['stored']);
    expect(await counted()).toBe(before + 1);
  });

  it('counts for new messages among repeated ones, and once for two copies', async () => {
    const before = await counted();
    const one = odd(bus.object, position(0));
    await take([one]);
    await take([one, odd(bus.object, position(1)), odd(bus.object, position(1))]);
    expect(await counted()).toBe(before + 2);
  });

  it('counts of a message that has no records', async () => {
    const before = await counted();
    expect(await take([odd(bus.object)])).toEqual(['stored']);
    expect(await counted()).toBe(before + 1);
  });

  it('counts for nobody of a unit that is not known, and of a message that is not stored now', async () => {
    const before = await counted();
    expect(await take([odd(999_999, position(0))])).toEqual(['unknown_unit']);
    const store = recordStoreOf(world.server.deps);
    const away = { ...store, inTurn: () => Promise.reject(new Error('no room')) };
    expect(await take([odd(bus.object, position(0))], away)).toEqual([undefined]);
    expect(await counted()).toBe(before);
  });
});

it('a message has the worst fate of its records, whichever is told last', async () => {
  const reasons: StoreRefusal['reason'][] = ['aside_full', 'too_dense', 'other_content'];
  const refusing: RecordStore = {
    ...recordStoreOf(world.server.deps),
    store: async (_unit, _stream, records): Promise<StoreAnswer> => ({
      ...{ acknowledged: [], aside: [], repeated: [], figures: { records: [], seconds: 0 } },
      refused: records.map((record, n) => {
        const reason = reasons[n % 3] ?? 'too_dense';
        return { record, reason, field: 'seq', message: '' } as StoreRefusal;
      }),
    }),
  };
  const message = { ids: [`${bus.object}`], raw, read: () => [0, 1, 2].map(position) };
  expect(await take([message], refusing)).toEqual(['aside_full']);
});

it('a copy of a record has the fate of the first, in the same message and in others', async () => {
  const full = createRecordStore(world.server.deps, { ...BOUNDS, aside: 0 });
  const message = (...records: ToldRecord[]): Message => ({
    ...{ ids: [`${bus.object}`], raw, read: () => records },
  });
  const [one, ahead] = [position(0), position(7200)];
  expect(
    await take([message(ahead), message(one), message(one, ahead), message(ahead)], full),
  ).toEqual(['aside_full', 'stored', 'aside_full', 'aside_full']);
  const other = { ...one, speedKmh: 40 } as ToldRecord;
  expect(await take([message(other), message(other), message(position(1))], full)).toEqual([
    ...['other_content', 'other_content', 'stored'],
  ]);
});

describe('a message with many records', () => {
  /** Records that are stored at a time. */
  const SLICE = 1000;
  const many = (count: number): Message => ({
    ...{
      ids: [`${bus.object}`],
      raw,
      read: () => Array.from({ length: count }, (_, n) => position(n)),
    },
  });

  /** A store that stores, or fails from a batch on. @returns it, and the records of each batch that it was given */
  function watched(failsFrom = Number.POSITIVE_INFINITY) {
    const store = recordStoreOf(world.server.deps);
    const sizes: number[] = [];
    const watching: RecordStore = {
      ...store,
      store: async (unit, stream, records, ...rest) => {
        sizes.push(records.length);
        if (sizes.length > failsFrom) throw new AppError('unavailable', 'Too late.');
        return store.store(unit, stream, records, ...rest);
      },
    };
    return { watching, sizes };
  }

  it('is stored a slice at a time, and has one fate', async () => {
    const { watching, sizes } = watched();
    expect(await take([many(2 * SLICE + 100)], watching)).toEqual(['stored']);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(SLICE);
    const { db } = world.server.deps.database;
    expect(await listPositions(db, bus.unitId, 0, Date.UTC(2100))).toHaveLength(2 * SLICE + 100);
  });

  it('has the worst fate of its slices', async () => {
    const other = { ...position(SLICE + 50), speedKmh: 40 } as ToldRecord;
    await take([{ ...many(0), read: () => [other] }]);
    expect(await take([many(2 * SLICE + 100)])).toEqual(['other_content']);
  });

  it('must come again when one of its slices is not stored, and no later one of its unit is tried', async () => {
    const { watching, sizes } = watched(1);
    const fates = await take([many(10), many(2 * SLICE + 100), many(20)], watching);
    expect(fates).toEqual(['stored', undefined, undefined]);
    expect(sizes).toHaveLength(2);
    expect(await take([many(2 * SLICE + 100)])).toEqual(['stored']);
  });
});

describe('messages without records, as many as one call can bring', () => {
  /** Messages that are read in a round of the process. */
  const SLICE = 1000;

  it.each([
    ['that nobody can read', 'wrong'],
    ['of nothing', []],
  ])('%s leave rounds of the process to others', async (_, answer) => {
    const rounds: number[] = [0];
    let next: NodeJS.Immediate;
    const countRound = (): void => {
      rounds.push(0);
      next = setImmediate(countRound);
    };
    next = setImmediate(countRound);
    const read = (): typeof answer => {
      rounds.push((rounds.pop() ?? 0) + 1);
      return answer;
    };
    const some = Array.from({ length: 10 * SLICE }, () => ({ ids: [`${bus.object}`], raw, read }));
    const fates = await take(some);
    clearImmediate(next);
    expect(fates).toEqual(some.map(() => (answer === 'wrong' ? 'wrong' : 'stored')));
    // A round may end in the midst of one of the process.
    expect(Math.max(...rounds)).toBeLessThanOrEqual(2 * SLICE);
  });

  it('leave what comes before and after them of the same unit to be stored in its order', async () => {
    const store = recordStoreOf(world.server.deps);
    const seconds: number[] = [];
    const watching: RecordStore = {
      ...store,
      store: async (unit, stream, records, ...rest) => {
        seconds.push(...records.map(({ timeMs }) => (timeMs - EGTS_DAY_MS) / 1000));
        return store.store(unit, stream, records, ...rest);
      },
    };
    const [ids, wrong] = [[`${bus.object}`], Array.from({ length: 1500 }, () => 'wrong' as const)];
    const messages: Message[] = [
      { ids, raw, read: () => [position(0)] },
      ...wrong.map((fate) => ({ ids, raw, read: () => fate })),
      { ids, raw, read: () => [position(1)] },
    ];
    expect(await take(messages, watching)).toEqual(['stored', ...wrong, 'stored']);
    expect(seconds).toEqual([0, 1]);
  });
});

it('records of a message that are kept aside share its raw form', async () => {
  const aside = vi.fn(() => 'a'.repeat(5000));
  const records = Array.from({ length: 50 }, (_, n) => position(86_400 + n));
  const message = { ids: [`${bus.object}`], raw: aside, read: () => records };
  expect(await take([message])).toEqual(['stored']);
  expect(aside).toHaveBeenCalledTimes(1);
});

describe('messages of an id that no unit has', () => {
  const unknown = (read: Message['read']): Message => ({ ids: ['999999'], raw, read });

  it('are looked at only at their end, and only a few times until the next note', async () => {
    const { metrics, log } = world.server.deps;
    const knocks = createKnocks(world.server.deps, 'egts');
    const takeTold = createTakeTold<object, string>({
      ...{ metrics, log, knocks, standard: {}, waitMs: 5000 },
      store: recordStoreOf(world.server.deps),
      findUnits: async () => new Map(),
    });
    const read = vi.fn(() => [position(1)]);
    const some = Array.from({ length: 200 }, () => unknown(read));
    expect(new Set(await takeTold(some, '10.0.0.7', 0))).toEqual(new Set(['unknown_unit']));
    expect(read.mock.calls.length).toBeLessThanOrEqual(50);
    for (let n = 0; n < 20; n += 1) await takeTold(some, '10.0.0.7', 0);
    expect(read.mock.calls.length).toBeLessThanOrEqual(4 * 50);
    await knocks.close();
  });
});
