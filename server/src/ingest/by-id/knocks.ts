// Notes ids that no unit has, for administrators: who knocked, and what it sent last. Their records are not stored. A
// process writes what it has heard each few seconds, in one statement, whatever comes.
import { roundTo } from '@ridewatch/contract/round';
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { sql } from 'kysely';
import { isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import {
  type AnnouncementRecord,
  type CameraStateRecord,
  hasPlace,
  type PassengerRecord,
  type PositionRecord,
} from '../store/records.ts';
import { plainAddress } from './addresses.ts';
import { createByNetwork } from './by-network.ts';
import { networkOf } from './unit-places.ts';

const NOTE_EVERY_MS = 5_000;
/**
 * Most ids of one note. Others are noted when they knock again: ids that are listed already give way to new ones. An address,
 * or a /64 of IPv6, that sends many has what others leave.
 */
const MOST_HEARD = 200;
/** How often it is looked what an id told last, until the next note: some devices send places and people in turn. */
const MOST_LOOKS = 4;
/**
 * Most ids that are kept, and how long, ms. Beyond that each address, or /64 of IPv6, keeps as many as another one has, those
 * that were heard last: a link that names a thousand objects replaces its own.
 */
const MOST_KEPT = 500;
const KEEP_MS = 30 * 86_400_000;

/** A position of an id that no unit has. */
interface HeardPlace {
  /** ms since 1970 UTC. */
  readonly sentMs: number;
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
}

/** People whom an id that no unit has counted at one moment at one door. */
interface HeardPeople {
  /** ms since 1970 UTC. */
  readonly sentMs: number;
  readonly door: number;
  readonly entered: number;
  readonly exited: number;
}

/** The last of each that was in a message; undefined: there was none. */
export interface LastHeard {
  readonly place?: HeardPlace | undefined;
  readonly people?: HeardPeople | undefined;
}

interface Knock extends LastHeard {
  readonly id: string;
  readonly otherIds: readonly string[];
  readonly address: string;
  /** See `networkOf`. */
  readonly network: string;
  readonly atMs: number;
  readonly records: number;
  /** How often it was looked what it told last. */
  readonly looks: number;
}

export interface Knocks {
  /**
   * Notes an id that no unit has.
   * @param from the address from where it knocks
   * @param records how many it sent; 0: only its name
   * @param last looks for the last position and the last people among them; not called for each note, and never for an id
   *   that an administrator ignores
   * @param otherIds further ids of the device, by any of which a unit may be known
   */
  note(
    id: string,
    from: string,
    records: number,
    last?: () => LastHeard,
    otherIds?: readonly string[],
  ): void;
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
  let networks = createByNetwork();
  /** The last ids that were noted, as many as the list keeps; and those of them that knock again, by network. */
  const noted = new Set<string>();
  let again = new Map<string, Set<string>>();
  /** Ids of the last note that an administrator ignores. */
  let ignored: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    timer = undefined;
    const knocks = [...heard.values()];
    heard.clear();
    networks = createByNetwork();
    again = new Map();
    try {
      ignored = await insertKnocks(database, protocol, knocks, clock.nowMs());
      keepNoted(knocks);
    } catch (error) {
      // They knock again.
      if (!isDatabaseAway(error)) log.error({ err: error }, 'unknown units were not noted');
    }
  }

  function keepNoted(knocks: readonly Knock[]): void {
    for (const { id } of knocks) {
      noted.delete(id);
      noted.add(id);
    }
    for (const id of noted) {
      if (noted.size <= MOST_KEPT) break;
      noted.delete(id);
    }
  }

  // Forgets an id of the same network that was noted before, if the new one was not; else the first one of the network that
  // knocks with the most, if the new one's has fewer.
  function makeRoom(coming: string, network: string): boolean {
    const [before] = noted.has(coming) ? [] : (again.get(network) ?? []);
    const given = before === undefined ? networks.firstOfMost(network) : { id: before, network };
    if (given === undefined) return false;
    forget(given.id, given.network);
    return heard.delete(given.id);
  }

  function forget(id: string, network: string): void {
    networks.remove(id, network);
    again.get(network)?.delete(id);
  }

  return {
    note: (id, from, records, last, otherIds = []) => {
      const before = heard.get(id);
      const address = plainAddress(from);
      const network = networkOf(address);
      if (before === undefined && heard.size >= MOST_HEARD && !makeRoom(id, network)) return;
      if (before?.network !== network) {
        if (before !== undefined) forget(id, before.network);
        networks.add(id, network);
        if (noted.has(id)) again.set(network, (again.get(network) ?? new Set()).add(id));
      }
      const looks = before?.looks ?? 0;
      const isLookedAt = last !== undefined && looks < MOST_LOOKS && !ignored.has(id);
      const found = isLookedAt ? last() : undefined;
      heard.set(id, {
        ...{ id, address, network, otherIds, atMs: clock.nowMs() },
        records: (before?.records ?? 0) + records,
        looks: looks + (isLookedAt ? 1 : 0),
        place: found?.place ?? before?.place,
        people: found?.people ?? before?.people,
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

type Counted = Pick<PassengerRecord, 'type' | 'sentMs' | 'door' | 'direction' | 'count' | 'module'>;
type HeardRecord =
  | Counted
  | Pick<PositionRecord, 'type' | 'sentMs' | 'place'>
  | Pick<CameraStateRecord | AnnouncementRecord, 'type'>;

/** Finds the last position that has a place, and the people of the last moment and door. */
export function lastHeardIn(records: Iterable<HeardRecord>): LastHeard {
  let place: HeardPlace | undefined;
  let people: HeardPeople | undefined;
  for (const one of records) {
    if (one.type === 'position' && hasPlace(one)) place = { sentMs: one.sentMs, ...one.place };
    // A number that a counter shows is no number of people.
    if (one.type === 'passenger' && one.module === undefined) people = withPeople(people, one);
  }
  return { place, people };
}

function withPeople(before: HeardPeople | undefined, one: Counted): HeardPeople {
  const { sentMs, door } = one;
  const isSame = before?.sentMs === sentMs && before.door === door;
  const { entered, exited } = isSame ? before : { entered: 0, exited: 0 };
  const people = { sentMs, door, entered, exited };
  return { ...people, [one.direction]: people[one.direction] + one.count };
}

// A unit that is switched off is known, by whichever id of its device. What was heard longest ago is forgotten. Rows are
// locked in the order of protocol and id, as by everybody who locks several. Gives those that an administrator ignores.
async function insertKnocks(
  { db }: Deps['database'],
  protocol: UnitProtocol,
  knocks: readonly Knock[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const column = <T>(pick: (knock: Knock) => T): T[] => knocks.map(pick);
  const named = knocks.flatMap(({ id, otherIds }) => [id, ...otherIds].map((anyId) => [id, anyId]));
  const degrees = (value: number | undefined): number | null =>
    value === undefined ? null : roundTo(value, 6);
  const { rows } = await sql<{ id: string; ignored: boolean }>`
    insert into knocks as known (protocol, protocol_id, address, first_at, last_at, records,
      sent_time, latitude, longitude, counted_time, door, entered, exited)
    select ${protocol}, id, address, at, at, records, sent_time, latitude, longitude, counted_time, door,
      entered, exited
    from unnest(
      ${column(({ id }) => id)}::text[], ${column(({ address }) => address)}::text[],
      ${column(({ atMs }) => new Date(atMs))}::timestamptz[],
      ${column(({ records }) => records)}::bigint[],
      ${column(({ place }) => (place === undefined ? null : new Date(place.sentMs)))}::timestamptz[],
      ${column(({ place }) => degrees(place?.latitude))}::float8[],
      ${column(({ place }) => degrees(place?.longitude))}::float8[],
      ${column(({ people }) => (people === undefined ? null : new Date(people.sentMs)))}::timestamptz[],
      ${column(({ people }) => people?.door ?? null)}::smallint[],
      ${column(({ people }) => people?.entered ?? null)}::integer[],
      ${column(({ people }) => people?.exited ?? null)}::integer[]
    ) as heard (id, address, at, records, sent_time, latitude, longitude, counted_time, door, entered, exited)
    where id not in (
      select device.id from unnest(${named.map(([id]) => id)}::text[], ${named.map(([, anyId]) => anyId)}::text[])
        as device (id, any_id)
      join units on units.protocol = ${protocol} and units.protocol_id = device.any_id)
    order by id
    on conflict (protocol, protocol_id) do update set address = excluded.address,
      last_at = excluded.last_at, records = known.records + excluded.records,
      sent_time = coalesce(excluded.sent_time, known.sent_time),
      latitude = coalesce(excluded.latitude, known.latitude),
      longitude = coalesce(excluded.longitude, known.longitude),
      counted_time = coalesce(excluded.counted_time, known.counted_time),
      door = coalesce(excluded.door, known.door), entered = coalesce(excluded.entered, known.entered),
      exited = coalesce(excluded.exited, known.exited)
    returning known.protocol_id as id, known.ignored`.execute(db);
  await forgetOld(db, nowMs);
  return new Set(rows.filter(({ ignored }) => ignored).map(({ id }) => id));
}

// The process finds the networks, because PostgreSQL before version 16 cannot tell whether a text is an address: a proxy may
// have made it up.
async function forgetOld(db: Deps['database']['db'], nowMs: number): Promise<void> {
  const { rows } = await sql<{ address: string }>`
    select distinct address from knocks where not ignored`.execute(db);
  const addresses = rows.map(({ address }) => address);
  const networks = addresses.map((address) => networkOf(plainAddress(address)));
  await sql`
    with old as materialized (
      select id from knocks where last_at < ${new Date(nowMs - KEEP_MS)} or id in (
        select id from (
          select id, last_at, row_number() over (
            partition by coalesce(network, address) order by last_at desc, id) as nth
          from unknown_units
          left join unnest(${addresses}::text[], ${networks}::text[])
            as networks (address, network) using (address)
          where not ignored) as ranked
        order by nth, last_at desc, id offset ${MOST_KEPT})
      order by protocol, protocol_id for update
    )
    delete from knocks where id in (select id from old)`.execute(db);
}
