// Stores what units known by an id tell in any protocol. A record that came twice counts once, because its number is made
// of its time (numbers.ts). A message whose records could not be stored has no fate: its sender must send it again. However
// many records messages have, few of them are made and stored at a time, so that others are served between them.
import type { FeedFate } from '@ridewatch/contract/admin-feed';
import type { Deps } from '../../deps.ts';
import { lateError } from '../store/at-once.ts';
import type { RecordCount } from '../store/batch-figures.ts';
import type { RecordStore } from '../store/record-store.ts';
import { isUnplaced } from '../store/records.ts';
import { createFeedNotes, type Heard } from './feed-notes.ts';
import type { Knocks } from './knocks.ts';
import { createOneByOne } from './one-by-one.ts';
import { createSlice, type Origin, type Part, type Slice } from './slice.ts';
import { createStoreTold, type RecordFate, type ToldRecord } from './store-told.ts';
import { createNoteStrangers } from './strangers.ts';
import { isRead, type Told } from './told.ts';
import type { FindUnits, UnitById } from './units.ts';
import { createLanes } from './weighted-turns.ts';

/** The outcome of counts in a form that only their vendor knows, also in the feed. */
const VENDOR_FORM = 'vendor_form';
const NOTHING_NOTED: readonly RecordCount[] = [];
/** Units of a listener whose records are stored at the same time: usual batches of so many share a statement. */
const UNITS_AT_ONCE = 64;
/** Records of a unit with which it waits only for others like it, and of all such units: 32 turns of usual packets. */
const LIGHT_RECORDS = { ofUnit: 250, atOnce: 6000 } as const;
/** Records of the other units that are stored at the same time, mostly in one statement. */
const HEAVY_RECORDS_AT_ONCE = 4000;

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

/** Kinds of records of a message; known only of a unit to which somebody listens. */
interface Kinds {
  /** Whether it has a position without a place, and another record. */
  hasPlaceless: boolean;
  hasOthers: boolean;
}

/** A message of a call, and what becomes of it. */
interface Taken<Settings, Refusal> extends Origin, Kinds {
  readonly told: Told<Settings, Refusal>;
  /** Undefined: nobody knows it. */
  readonly unit: UnitById<Settings> | undefined;
  fate: Fate | Refusal | undefined;
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
  const storing = {
    ...{ log, storeTold: createStoreTold({ metrics, store, oldestMs }) },
    // A unit waits for its own turn first, so that one that sends much at once has one place.
    inTurn: <T>(unitId: number, records: number, work: () => Promise<T>) =>
      store.inTurn(unitId, () => atOnce(records, work)),
  };
  return async (told, address, receivedMs) => {
    const units = await findUnits(idsOf(told));
    const messages: Taken<Settings, Refusal>[] = [];
    const slice = createSlice(storing, receivedMs);
    for (const one of told) {
      const message = takenOf(one, firstOf(one.ids, units));
      messages.push(message);
      for (const part of partsOf(message, slice.hasFailed)) {
        slice.add(part);
        if (!slice.isFull()) continue;
        await slice.store();
        await oneByOne();
      }
    }
    await slice.store();
    countNoted(messages);
    await noteStrangers(strangersOf(messages), address);
    noteHeard(messages.flatMap(heardOf), receivedMs);
    return messages.map(({ fate }) => fate);
  };

  function countNoted(messages: readonly Origin[]): void {
    for (const { fate, noted, hasRecords, isNew } of messages) {
      if (fate === undefined || (hasRecords && !isNew)) continue;
      for (const { type, outcome, count } of noted) {
        metrics.records.labels(type, outcome).inc(count);
      }
    }
  }
}

// Few ids, whatever the number of messages.
function idsOf(told: readonly Pick<Told<never, never>, 'ids'>[]): string[] {
  const all = new Set<string>();
  for (const { ids } of told) for (const id of ids) all.add(id);
  return [...all];
}

const takenOf = <Settings, Refusal>(
  told: Told<Settings, Refusal>,
  unit: UnitById<Settings> | undefined,
): Taken<Settings, Refusal> => ({
  told,
  unit,
  fate: 'unknown_unit',
  noted: NOTHING_NOTED,
  hasRecords: false,
  isNew: false,
  isKeptAside: false,
  hasPlaceless: false,
  hasOthers: false,
});

// Reads a message as its parts are taken: once a slice of its unit was not stored, no more of it is read.
function* partsOf<Settings, Refusal extends number | string>(
  message: Taken<Settings, Refusal>,
  hasFailed: Slice['hasFailed'],
): Generator<Part> {
  const { unit: known } = message;
  const records = known && readOf(message, known, hasFailed);
  if (known === undefined || records === undefined) {
    // Also a message that cannot be read shows that its unit lives.
    const isHeard = known !== undefined && message.fate !== undefined;
    yield isHeard ? { message, unit: known.unit } : { message };
    return;
  }
  const { unit, listenedUntilMs } = known;
  // Also a message without records shows that its unit lives.
  let isEmpty = true;
  for (const record of records) {
    if (hasFailed(unit.unitId)) {
      message.fate = undefined;
      return;
    }
    isEmpty = false;
    if (listenedUntilMs !== undefined) noteKind(message, record);
    yield { message, unit, record };
  }
  if (isEmpty) yield { message, unit };
}

// Gives the records of a message, and notes its fate if nothing goes wrong with them; undefined: nothing of it is stored.
function readOf<Settings, Refusal extends number | string>(
  message: Taken<Settings, Refusal>,
  { unit, settings }: UnitById<Settings>,
  hasFailed: Slice['hasFailed'],
): Iterable<ToldRecord> | undefined {
  if (hasFailed(unit.unitId)) {
    message.fate = undefined;
    return undefined;
  }
  const noted: RecordCount[] = [];
  const read = message.told.read(settings, (type, outcome, count = 1) => {
    noted.push({ type, outcome, count });
  });
  message.fate = isRead(read) ? 'stored' : read;
  if (!isRead(read)) return undefined;
  message.noted = noted;
  return read;
}

function noteKind(message: Kinds, record: ToldRecord): void {
  if (isUnplaced(record)) message.hasPlaceless = true;
  else message.hasOthers = true;
}

// The fate of a message, as listeners of its unit see it.
function heardOf<Settings, Refusal extends number | string>(
  message: Taken<Settings, Refusal>,
): Heard[] {
  const { told, unit, fate } = message;
  if (unit?.listenedUntilMs === undefined) return [];
  return [{ unit, raw: told.raw, fate: fate === 'stored' ? storedFateOf(message) : fate }];
}

function storedFateOf({ isKeptAside, noted, hasRecords, ...kinds }: Origin & Kinds): FeedFate {
  const { hasPlaceless, hasOthers } = kinds;
  if (isKeptAside) return 'kept_aside';
  if (noted.some(({ outcome }) => outcome === VENDOR_FORM)) return VENDOR_FORM;
  if (!hasRecords) return 'nothing';
  return hasPlaceless && !hasOthers ? 'no_fix' : 'stored';
}

// Messages of ids that no unit has, by the best id of each.
function strangersOf<Settings, Refusal>(
  messages: readonly Taken<Settings, Refusal>[],
): Map<string, Told<Settings, Refusal>[]> {
  const strangers = new Map<string, Told<Settings, Refusal>[]>();
  for (const { told, unit } of messages) {
    const [id] = told.ids;
    if (unit !== undefined || id === undefined) continue;
    const others = strangers.get(id);
    if (others === undefined) strangers.set(id, [told]);
    else others.push(told);
  }
  return strangers;
}

// The unit of the best id that names one.
function firstOf<Unit>(ids: readonly string[], units: ReadonlyMap<string, Unit>): Unit | undefined {
  for (const id of ids) {
    const unit = units.get(id);
    if (unit !== undefined) return unit;
  }
  return undefined;
}
