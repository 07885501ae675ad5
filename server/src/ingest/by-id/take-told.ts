// Stores what units known by an id tell in any protocol, each unit's records in one transaction, or in several when they
// touch too many days. A record that came twice counts once, because its number is made of its time (numbers.ts). A message
// whose records could not be stored has no fate: its sender must send it again.
import { AppError, isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { createAtOnce, lateError } from '../store/at-once.ts';
import { addFigures, type RecordCount } from '../store/batch-figures.ts';
import { isReading } from '../store/counter-readings.ts';
import type { RecordStore } from '../store/record-store.ts';
import {
  type AsideRecord,
  type CheckedRecord,
  hasPlace,
  type SentRecord,
  type StoreRefusal,
} from '../store/records.ts';
import { TIMED_STREAM } from '../store/timed-stream.ts';
import { createFeedNotes, type Heard } from './feed-notes.ts';
import { type Knocks, lastHeardIn } from './knocks.ts';
import { isPossibleTold } from './possible-times.ts';
import type { FindUnits, UnitById } from './units.ts';

const NOTHING_NOTED: readonly RecordCount[] = [];
/** Units of a listener whose records are stored at the same time: usual batches of so many share a statement. */
const UNITS_AT_ONCE = 64;

/** A record of the store without its place in a batch. */
export type ToldRecord = SentRecord extends infer Record
  ? Record extends SentRecord
    ? Omit<Record, 'index'>
    : never
  : never;

/**
 * Tells of an outcome that the store does not know, such as a form that nobody can read. It counts in the metrics once the
 * message is stored, and not when it comes again.
 */
export type NoteOutcome = (type: string, outcome: string, count?: number) => void;

/** A message about one unit. */
export interface Told<Settings, Refusal> {
  /** The ids by which its unit may be known, the better one first. */
  readonly ids: readonly string[];
  /**
   * Reads its records as the unit's settings say, with numbers of numbers.ts. It changes nothing outside.
   * @returns why it cannot be read
   */
  readonly read: (settings: Settings, note: NoteOutcome) => readonly ToldRecord[] | Refusal;
  /** As it came, kept beside a record whose time is impossible, and shown to whoever listens to the unit. */
  readonly raw: () => string;
}

/**
 * Fates of records, the worst last. Nothing is lost of a reading whose time is impossible, as the next one has its people;
 * something is stored under the number of a record with other content; nothing is of one without room, which is for good in
 * a full block of positions, and until somebody places or discards some among those that are kept aside.
 */
const FATES = ['stored', 'impossible_time', 'other_content', 'no_room', 'aside_full'] as const;
type RecordFate = (typeof FATES)[number];

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
interface UnitBatch<Settings> extends UnitById<Settings> {
  readonly records: ToldRecord[];
  readonly origins: number[];
  /** Outcomes that messages have noted, by message. */
  readonly noted: Map<number, readonly RecordCount[]>;
}

/** The fates of records that are not stored, by their place in the batch, and the numbers of those that were before. */
interface StoredBatch {
  readonly refused: ReadonlyMap<number, RecordFate>;
  readonly repeated: readonly number[];
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
  const atOnce = createAtOnce(UNITS_AT_ONCE, waitMs, lateError);
  const noteHeard = createFeedNotes({ store, log });
  return async (told, address, receivedMs) => {
    const units = await findUnits(told.flatMap(({ ids }) => ids));
    const fates: (Fate | Refusal | undefined)[] = [];
    const batches = new Map<number, UnitBatch<Settings>>();
    const heard: (Omit<Heard, 'fate'> & { readonly at: number })[] = [];
    let noted = NOTHING_NOTED;
    const note: NoteOutcome = (type, outcome, count = 1) => {
      noted = [...noted, { type, outcome, count }];
    };
    for (const [at, { ids, read, raw }] of told.entries()) {
      const found = firstOf(ids, units);
      if (found === undefined) {
        const records = read(standard, () => undefined);
        const last = isRead(records) ? lastHeardIn(records) : undefined;
        const [id, ...otherIds] = ids;
        if (id !== undefined) knocks.note(id, address, 1, last, otherIds);
        fates.push('unknown_unit');
        continue;
      }
      noted = NOTHING_NOTED;
      const records = read(found.settings, note);
      if (found.listenedUntilMs !== undefined) heard.push({ at, unit: found, raw });
      fates.push(isRead(records) ? 'stored' : records);
      if (!isRead(records)) continue;
      const { unitId } = found.unit;
      const batch: UnitBatch<Settings> = batches.get(unitId) ?? {
        ...found,
        records: [],
        origins: [],
        noted: new Map(),
      };
      batches.set(unitId, batch);
      if (noted.length > 0) batch.noted.set(at, noted);
      for (const one of records) {
        batch.records.push(one);
        batch.origins.push(at);
      }
    }
    // Also a message without records shows that its unit lives.
    const storing = [...batches.values()].map(async (batch) => {
      const raw = (index: number) => told[batch.origins[index] ?? 0]?.raw() ?? '';
      try {
        const work = () => storeBatch(batch, raw, receivedMs);
        // A unit waits for its own turn first, so that one that sends much at once has one place.
        const stored = await store.inTurn(batch.unit.unitId, () => atOnce(work));
        for (const [at, fate] of worstOf(batch, stored)) fates[at] = fate;
        countNoted(batch, stored);
      } catch (error) {
        if (!(error instanceof AppError) && !isDatabaseAway(error)) {
          log.error({ unitId: batch.unit.unitId, err: error }, 'records of a unit were not stored');
        }
        for (const at of new Set(batch.origins)) fates[at] = undefined;
      }
    });
    await Promise.all(storing);
    noteHeard(
      heard.map(({ at, ...one }) => ({ ...one, fate: fates[at] })),
      receivedMs,
    );
    return fates;
  };

  // A message is new when one of its records is. Nothing tells apart those that have none.
  function countNoted(
    { records, origins, noted }: UnitBatch<Settings>,
    { refused, repeated }: StoredBatch,
  ): void {
    if (noted.size === 0) return;
    const seen = new Set(repeated);
    const [told, fresh] = [new Set(origins), new Set<number>()];
    for (const [index, { seq }] of records.entries()) {
      const at = origins[index];
      if (at !== undefined && !refused.has(index) && !seen.has(seq)) fresh.add(at);
      seen.add(seq);
    }
    for (const [at, some] of noted) {
      if (told.has(at) && !fresh.has(at)) continue;
      for (const { type, outcome, count } of some) metrics.records.labels(type, outcome).inc(count);
    }
  }

  async function storeBatch(
    { unit, records }: UnitBatch<Settings>,
    rawOf: (index: number) => string,
    receivedMs: number,
  ): Promise<StoredBatch> {
    const refused = new Map<number, RecordFate>();
    const repeated: number[] = [];
    const timed: CheckedRecord[] = [];
    const aside: AsideRecord[] = [];
    for (const [index, told] of records.entries()) {
      // Nothing is stored of a position without a fix.
      const isUnplaced = told.type === 'position' && !hasPlace(told);
      if (isUnplaced || isPossibleTold(told.sentMs, receivedMs, oldestMs)) {
        timed.push({ ...told, index, timeMs: isUnplaced ? receivedMs : told.sentMs });
      } else if (isReading(told)) {
        // The next reading of the counter has its people, too.
        refused.set(index, 'impossible_time');
      } else aside.push({ record: { ...told, index }, raw: rawOf(index) });
    }
    for (const answer of await storeDays(timed, aside)) {
      addFigures(metrics, unit.unitId, { ...answer.figures, dropped: [] });
      for (const { record, reason } of answer.refused) refused.set(record.index, fateOf(reason));
      repeated.push(...answer.repeated);
    }
    refuseCopies(records, refused);
    return { refused, repeated };

    // A black box may send more days at once than one transaction may touch.
    async function storeDays(
      some: readonly CheckedRecord[],
      timeless: readonly AsideRecord[],
    ): Promise<Awaited<ReturnType<RecordStore['store']>>[]> {
      try {
        return [await store.store(unit, TIMED_STREAM, some, receivedMs, undefined, timeless)];
      } catch (error) {
        const isTooMuch = error instanceof AppError && error.code === 'too_many_days';
        if (!isTooMuch || some.length < 2) throw error;
        const ordered = [...some].sort((a, b) => a.timeMs - b.timeMs);
        const middle = ordered.length >> 1;
        return [
          ...(await storeDays(ordered.slice(0, middle), timeless)),
          ...(await storeDays(ordered.slice(middle), [])),
        ];
      }
    }
  }
}

// The unit of the best id that names one.
function firstOf<Unit>(ids: readonly string[], units: ReadonlyMap<string, Unit>): Unit | undefined {
  for (const id of ids) {
    const unit = units.get(id);
    if (unit !== undefined) return unit;
  }
  return undefined;
}

function isRead<Refusal>(read: readonly ToldRecord[] | Refusal): read is readonly ToldRecord[] {
  return Array.isArray(read);
}

// Of equal records of a batch the store takes the first, and says nothing of the others.
function refuseCopies(records: readonly ToldRecord[], refused: Map<number, RecordFate>): void {
  if (refused.size === 0) return;
  const firstOfNumber = new Map<number, number>();
  for (const [index, { seq }] of records.entries()) {
    const first = firstOfNumber.get(seq) ?? index;
    firstOfNumber.set(seq, first);
    const fate = refused.get(first);
    if (fate !== undefined && !refused.has(index)) refused.set(index, fate);
  }
}

// The worst fates of messages, by their place among those of the call.
function worstOf(
  { origins }: Pick<UnitBatch<unknown>, 'origins'>,
  { refused }: StoredBatch,
): ReadonlyMap<number, RecordFate> {
  const worst = new Map<number, RecordFate>();
  for (const [index, fate] of refused) {
    const at = origins[index] ?? 0;
    const before = worst.get(at) ?? 'stored';
    if (FATES.indexOf(fate) > FATES.indexOf(before)) worst.set(at, fate);
  }
  return worst;
}

const fateOf = (reason: StoreRefusal['reason']): RecordFate =>
  reason === 'other_content' || reason === 'aside_full' ? reason : 'no_room';
