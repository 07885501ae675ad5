// Notes ids that no unit has, for administrators: who knocked, and what it sent last. Their records are not stored. A
// process writes what it has heard each few seconds, in one statement, whatever comes.
import { roundTo } from '@ridewatch/contract/round';
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { sql } from 'kysely';
import { isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import type { DataRecord } from './data-records.ts';
import { readUnitRecords } from './unit-records.ts';

const NOTE_EVERY_MS = 5_000;
/** Most ids of one note; others knock again. */
const MOST_HEARD = 200;
/** Most ids that are kept, those that were heard last, and how long, ms. */
const MOST_KEPT = 500;
const KEEP_MS = 30 * 86_400_000;
const STANDARD = { counts: 'delta', raw_flag: 'low', module_bytes: 'little' } as const;
const PROTOCOL: UnitProtocol = 'egts';

interface Knock {
  readonly id: string;
  readonly address: string;
  readonly atMs: number;
  readonly records: number;
  readonly sentMs: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

export interface Knocks {
  /**
   * Notes an id that no unit has.
   * @param address from where it knocks
   * @param record what it sent; undefined: only its name
   */
  note(id: string, address: string, record?: DataRecord): void;
  /** Writes what was heard. */
  close(): Promise<void>;
}

/**
 * Makes the notes of one process.
 * @param everyMs tests wait for less
 */
export function createKnocks(
  { database, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>,
  everyMs = NOTE_EVERY_MS,
): Knocks {
  const heard = new Map<string, Knock>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    timer = undefined;
    const knocks = [...heard.values()];
    heard.clear();
    try {
      await insertKnocks(database, knocks, clock.nowMs());
    } catch (error) {
      // They knock again.
      if (!isDatabaseAway(error)) log.error({ err: error }, 'unknown units were not noted');
    }
  }

  return {
    note: (id, address, record) => {
      const before = heard.get(id);
      if (before === undefined && heard.size >= MOST_HEARD) return;
      const place = record && placeOf(record);
      heard.set(id, {
        ...{ id, address, atMs: clock.nowMs() },
        records: (before?.records ?? 0) + (record === undefined ? 0 : 1),
        sentMs: place?.sentMs ?? before?.sentMs ?? null,
        latitude: place?.latitude ?? before?.latitude ?? null,
        longitude: place?.longitude ?? before?.longitude ?? null,
      });
      timer ??= setTimeout(() => {
        writing = writing.then(write);
      }, everyMs);
    },
    close: async () => {
      clearTimeout(timer);
      await writing;
      if (heard.size > 0) await write();
    },
  };
}

function placeOf(record: DataRecord) {
  const read = readUnitRecords(record, STANDARD);
  if (typeof read === 'number') return undefined;
  const last = read.records.findLast((one) => one.type === 'position' && one.place !== null);
  return last?.type === 'position' && last.place !== null
    ? {
        sentMs: last.sentMs,
        latitude: roundTo(last.place.latitude, 6),
        longitude: roundTo(last.place.longitude, 6),
      }
    : undefined;
}

// A unit that is switched off is known. What was heard longest ago is forgotten.
async function insertKnocks(
  { db }: Deps['database'],
  knocks: readonly Knock[],
  nowMs: number,
): Promise<void> {
  const column = <T>(pick: (knock: Knock) => T): T[] => knocks.map(pick);
  const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
  await sql`
    insert into unknown_units as known (protocol, protocol_id, address, first_at, last_at, records,
      sent_time, latitude, longitude)
    select ${PROTOCOL}, id, address, at, at, records, sent_time, latitude, longitude
    from unnest(
      ${column(({ id }) => id)}::text[], ${column(({ address }) => address)}::text[],
      ${column(({ atMs }) => new Date(atMs))}::timestamptz[],
      ${column(({ records }) => records)}::bigint[],
      ${column(({ sentMs }) => date(sentMs))}::timestamptz[],
      ${column(({ latitude }) => latitude)}::float8[],
      ${column(({ longitude }) => longitude)}::float8[]
    ) as heard (id, address, at, records, sent_time, latitude, longitude)
    where not exists (select from units
      where units.protocol = ${PROTOCOL} and units.protocol_id = heard.id)
    order by id
    on conflict (protocol, protocol_id) do update set address = excluded.address,
      last_at = excluded.last_at, records = known.records + excluded.records,
      sent_time = coalesce(excluded.sent_time, known.sent_time),
      latitude = coalesce(excluded.latitude, known.latitude),
      longitude = coalesce(excluded.longitude, known.longitude)`.execute(db);
  await sql`
    delete from unknown_units where last_at < ${new Date(nowMs - KEEP_MS)} or (not ignored and id in (
      select id from unknown_units where not ignored order by last_at desc, id offset ${MOST_KEPT}))
    `.execute(db);
}
