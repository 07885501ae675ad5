// Notes ids that no unit has, for administrators: who knocked, and what it sent last. Their records are not stored. A
// process writes what it has heard each few seconds, in one statement, whatever comes.
import { roundTo } from '@ridewatch/contract/round';
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { sql } from 'kysely';
import { isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';

const NOTE_EVERY_MS = 5_000;
/** Most ids of one note; others knock again. */
const MOST_HEARD = 200;
/** Most ids that are kept, those that were heard last, and how long, ms. */
const MOST_KEPT = 500;
const KEEP_MS = 30 * 86_400_000;

/** A position of an id that no unit has. */
export interface HeardPlace {
  /** ms since 1970 UTC. */
  readonly sentMs: number;
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
}

interface Knock {
  readonly id: string;
  readonly address: string;
  readonly atMs: number;
  readonly records: number;
  readonly place: HeardPlace | undefined;
}

export interface Knocks {
  /**
   * Notes an id that no unit has.
   * @param address from where it knocks
   * @param records how many it sent; 0: only its name
   * @param place the last position among them
   */
  note(id: string, address: string, records: number, place?: HeardPlace): void;
  /** Writes what was heard. */
  close(): Promise<void>;
}

/**
 * Makes the notes of one process.
 * @param everyMs tests wait for less
 */
export function createKnocks(
  { database, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>,
  protocol: UnitProtocol,
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
      await insertKnocks(database, protocol, knocks, clock.nowMs());
    } catch (error) {
      // They knock again.
      if (!isDatabaseAway(error)) log.error({ err: error }, 'unknown units were not noted');
    }
  }

  return {
    note: (id, address, records, place) => {
      const before = heard.get(id);
      if (before === undefined && heard.size >= MOST_HEARD) return;
      heard.set(id, {
        ...{ id, address, atMs: clock.nowMs() },
        records: (before?.records ?? 0) + records,
        place: place ?? before?.place,
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

// A unit that is switched off is known. What was heard longest ago is forgotten.
async function insertKnocks(
  { db }: Deps['database'],
  protocol: UnitProtocol,
  knocks: readonly Knock[],
  nowMs: number,
): Promise<void> {
  const column = <T>(pick: (knock: Knock) => T): T[] => knocks.map(pick);
  const degrees = (value: number | undefined): number | null =>
    value === undefined ? null : roundTo(value, 6);
  await sql`
    insert into unknown_units as known (protocol, protocol_id, address, first_at, last_at, records,
      sent_time, latitude, longitude)
    select ${protocol}, id, address, at, at, records, sent_time, latitude, longitude
    from unnest(
      ${column(({ id }) => id)}::text[], ${column(({ address }) => address)}::text[],
      ${column(({ atMs }) => new Date(atMs))}::timestamptz[],
      ${column(({ records }) => records)}::bigint[],
      ${column(({ place }) => (place === undefined ? null : new Date(place.sentMs)))}::timestamptz[],
      ${column(({ place }) => degrees(place?.latitude))}::float8[],
      ${column(({ place }) => degrees(place?.longitude))}::float8[]
    ) as heard (id, address, at, records, sent_time, latitude, longitude)
    where not exists (select from units
      where units.protocol = ${protocol} and units.protocol_id = heard.id)
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
