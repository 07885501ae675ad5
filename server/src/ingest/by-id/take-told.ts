// Stores what units known by an id tell in any protocol. A record that came twice counts once, because its number is made
// of its time (numbers.ts). A message whose records could not be stored has no fate: its sender must send it again. However
// many records messages have, few of them are made and stored at a time, so that others are served between them.
import { AppError, isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { lateError } from '../store/at-once.ts';
import type { RecordCount } from '../store/batch-figures.ts';
import type { RecordStore } from '../store/record-store.ts';
import { createFeedNotes, type Heard } from './feed-notes.ts';
import type { Knocks } from './knocks.ts';
import { createOneByOne } from './one-by-one.ts';
import {
  createStoreTold,
  isRecordFate,
  isUnplaced,
  type RecordFate,
  type StoredTold,
  type ToldRecord,
  worseOf,
} from './store-told.ts';
import { createNoteStrangers } from './strangers.ts';
import { isRead, type NoteOutcome, type Told } from './told.ts';
import type { FindUnits, UnitById } from './units.ts';
import { createLanes } from './weighted-turns.ts';

const NOTHING_NOTED: readonly RecordCount[] = [];
/** Units of a listener whose records are stored at the same time: usual batches of so many share a statement. */
const UNITS_AT_ONCE = 64;
/** Records of a unit with which it waits only for others like it, and of all such units: 32 turns of usual packets. */
const LIGHT_RECORDS = { ofUnit: 250, atOnce: 6000 } as const;
/** Records of the other units that are stored at the same time, mostly in one statement. */
const HEAVY_RECORDS_AT_ONCE = 4000;
/** Records, and units with them, of a call that are stored at the same time: some tens of ms of the process. */
const MOST_OF_SLICE = 1000;
/** The store keeps no more of a message, characters. It would be in memory once for each record of its message. */
const MOST_RAW = 2000;

/** The fate of a message: that of an unknown unit, or the worst of its records'; a stored one may be so since earlier. */
export type Fate = RecordFate | 'unknown_unit';

/**
 * Stores messages.
 * @param address from where they come
 * @param receivedMs the server's clock at arrival
 * @returns the fate of each, or why it was not read; undefined for those that could not be stored now
 * @throws the database's error when it does not know the units
 */
export type TakeTold<Settings, Refusal> = (
  told: readonly Told<Settings, Refusal>[],
  address: string,
  receivedMs: number,
) => Promise<(Fate | Refusal | undefined)[]>;

/** The rooms and limits of a protocol. */
export interface TakeToldDeps<Settings> extends Pick<Deps, 'metrics' | 'log'> {
  readonly store: RecordStore;
  readonly findUnits: FindUnits<Settings>;
  readonly knocks: Pick<Knocks, 'note'>;
  /** The settings of a device that keeps to the standard: an unknown one is read so. */
  readonly standard: Settings;
  /** How long senders wait for an answer; later they have sent again, ms. */
  readonly waitMs: number;
  /** An earlier time is of a clock that was never set, ms since 1970 UTC; undefined: none is. */
  readonly oldestMs?: number | undefined;
}

/** The records of a unit, and to which of the messages each belongs. */
interface UnitBatch {
  readonly unit: UnitById<unknown>['unit'];
  readonly records: ToldRecord[];
  readonly origins: number[];
}

/** Outcomes that messages have noted, by message, and the messages that have records, or new ones. */
interface Noted {
  readonly outcomes: Map<number, readonly RecordCount[]>;
  readonly told: Set<number>;
  readonly fresh: Set<number>;
}

/** Makes the storing of one listener. */
export function createTakeTold<Settings, Refusal extends number | string = never>({
  metrics,
  log,
  store,
  findUnits,
  knocks,
  standard,
  waitMs,
  oldestMs,
}: TakeToldDeps<Settings>): TakeTold<Settings, Refusal> {
  const limits = { most: UNITS_AT_ONCE, waitMs, late: lateError };
  const atOnce = createLanes(
    LIGHT_RECORDS.ofUnit,
    { ...limits, mostWeight: LIGHT_RECORDS.atOnce },
    { ...limits, mostWeight: HEAVY_RECORDS_AT_ONCE },
  );
  const oneByOne = createOneByOne();
  const noteStrangers = createNoteStrangers({ knocks, standard, oneByOne });
  const noteHeard = createFeedNotes({ store, log });
  const storeTold = createStoreTold({ metrics, store, oldestMs });
  return async (told, address, receivedMs) => {
    const units = await findUnits(told.flatMap(({ ids }) => ids));
    const fates: (Fate | Refusal | undefined)[] = [];
    const strangers = new Map<string, Told<Settings, Refusal>[]>();
    const heard: (Omit<Heard, 'fate'> & { readonly at: number })[] = [];
    const noted: Noted = { outcomes: new Map(), told: new Set(), fresh: new Set() };
    const keptAside = new Set<number>();
    /** Messages to which somebody listens: with positions without a place, and with other records. */
    const [placeless, worth] = [new Set<number>(), new Set<number>()];
    /** Units of which a slice was not stored. A later one would be stored before it, and readings of counters have an order. */
    const failed = new Set<number>();
    let slice = new Map<number, UnitBatch>();
    let size = 0;
    let outcomes = NOTHING_NOTED;
    const note: NoteOutcome = (type, outcome, count = 1) => {
      outcomes = [...outcomes, { type, outcome, count }];
    };
    const batchOf = ({ unit }: UnitById<Settings>): UnitBatch => {
      const found = slice.get(unit.unitId);
      if (found !== undefined) return found;
      const batch = { unit, records: [], origins: [] };
      slice.set(unit.unitId, batch);
      size += 1;
      return batch;
    };

    for (const [at, one] of told.entries()) {
      const found = firstOf(one.ids, units);
      if (found === undefined) {
        const [id] = one.ids;
        const others = id === undefined ? undefined : strangers.get(id);
        if (others !== undefined) others.push(one);
        else if (id !== undefined) strangers.set(id, [one]);
        fates.push('unknown_unit');
        continue;
      }
      const { unitId } = found.unit;
      const isHeard = found.listenedUntilMs !== undefined;
      if (isHeard) heard.push({ at, unit: found, raw: one.raw });
      if (failed.has(unitId)) {
        fates.push(undefined);
        continue;
      }
      outcomes = NOTHING_NOTED;
      const records = one.read(found.settings, note);
      fates.push(isRead(records) ? 'stored' : records);
      if (!isRead(records)) continue;
      if (outcomes.length > 0) noted.outcomes.set(at, outcomes);
      // Also a message without records shows that its unit lives.
      let batch = batchOf(found);
      for (const record of records) {
        if (size >= MOST_OF_SLICE) {
          await storeSlice();
          await oneByOne();
          if (failed.has(unitId)) {
            fates[at] = undefined;
            break;
          }
          batch = batchOf(found);
        }
        if (isHeard) (isUnplaced(record) ? placeless : worth).add(at);
        batch.records.push(record);
        batch.origins.push(at);
        size += 1;
      }
    }
    await storeSlice();
    countNoted(noted, fates);
    await noteStrangers(strangers, address);
    noteHeard(
      heard.map(({ at, ...one }) => {
        const fate = fates[at];
        if (fate !== 'stored') return { ...one, fate };
        if (keptAside.has(at)) return { ...one, fate: 'kept_aside' as const };
        const isNothing = placeless.has(at) && !worth.has(at);
        return { ...one, fate: isNothing ? ('no_fix' as const) : fate };
      }),
      receivedMs,
    );
    return fates;

    async function storeSlice(): Promise<void> {
      const batches = [...slice.values()];
      slice = new Map();
      size = 0;
      await Promise.all(batches.map(storeBatch));
    }

    async function storeBatch(batch: UnitBatch): Promise<void> {
      const { unit, records, origins } = batch;
      const { unitId } = unit;
      const rawOf = createRawOf(told, origins);
      try {
        const work = () => storeTold(unit, records, rawOf, receivedMs);
        // A unit waits for its own turn first, so that one that sends much at once has one place.
        const stored = await store.inTurn(unitId, () => atOnce(records.length, work));
        for (const [index, fate] of stored.refused) {
          const at = origins[index] ?? 0;
          const before = fates[at];
          fates[at] = isRecordFate(before) ? worseOf(before, fate) : fate;
        }
        for (const index of stored.aside) keptAside.add(origins[index] ?? 0);
        if (noted.outcomes.size > 0) noteFresh(noted, batch, stored);
      } catch (error) {
        if (!(error instanceof AppError) && !isDatabaseAway(error)) {
          log.error({ unitId, err: error }, 'records of a unit were not stored');
        }
        failed.add(unitId);
        for (const at of new Set(origins)) fates[at] = undefined;
      }
    }
  };

  function countNoted({ outcomes, told, fresh }: Noted, fates: readonly unknown[]): void {
    for (const [at, some] of outcomes) {
      if (fates[at] === undefined || (told.has(at) && !fresh.has(at))) continue;
      for (const { type, outcome, count } of some) metrics.records.labels(type, outcome).inc(count);
    }
  }
}

// A message is new when one of its records is. Nothing tells apart those that have none.
function noteFresh(
  { told, fresh }: Noted,
  { records, origins }: UnitBatch,
  { refused, repeated }: StoredTold,
): void {
  const seen = new Set(repeated);
  for (const [index, { seq }] of records.entries()) {
    const at = origins[index] ?? 0;
    told.add(at);
    if (!refused.has(index) && !seen.has(seq)) fresh.add(at);
    seen.add(seq);
  }
}

// Records of a message come in a row, and share its raw form.
function createRawOf(
  told: readonly Pick<Told<never, never>, 'raw'>[],
  origins: readonly number[],
): (index: number) => string {
  let last: { readonly at: number; readonly raw: string } | undefined;
  return (index) => {
    const at = origins[index] ?? 0;
    if (last?.at !== at) last = { at, raw: told[at]?.raw().slice(0, MOST_RAW) ?? '' };
    return last.raw;
  };
}

// The unit of the best id that names one.
function firstOf<Unit>(ids: readonly string[], units: ReadonlyMap<string, Unit>): Unit | undefined {
  for (const id of ids) {
    const unit = units.get(id);
    if (unit !== undefined) return unit;
  }
  return undefined;
}
