// Compares what is stored of a unit that is known by an id with what it told, and with what was confirmed.
import { unpackPoints } from '@ridewatch/server/src/positions/pack.ts';
import type pg from 'pg';
import type { KeepingUnit, Kept } from './keeping-unit.ts';
import { eventText, partsOf, positionText, type Told, type ToldObject } from './told.ts';

/** An event as stored. */
interface StoredEvent {
  readonly timeMs: number;
  readonly door: number;
  readonly direction: 'entered' | 'exited';
  readonly count: number;
}

const HOUR_MS = 3_600_000;
const COUNTER = 256;

/**
 * Compares the stored records of a unit's objects with those of its ledger.
 * @returns one sentence for each fault; none if every record is stored once and confirmed, nothing else is stored, and the
 *   hours have the people of the confirmed ones
 */
export async function toldFaultsOf(client: pg.Client, unit: KeepingUnit): Promise<string[]> {
  const faults: string[] = [];
  const byObject = Map.groupBy(unit.ledger, ({ told }) => told[0]?.object);
  for (const one of unit.objects) {
    const own = await faultsOfObject(client, unit.sender.protocol, one, byObject.get(one.object));
    faults.push(...own.map((text) => `${text} (${unit.sender.protocol} ${one.object})`));
  }
  return [...faults, ...unit.refusals];
}

async function faultsOfObject(
  client: pg.Client,
  protocol: string,
  { object, counts }: ToldObject,
  ledger: readonly Kept[] = [],
): Promise<string[]> {
  const id = [protocol, String(object)];
  const events = await listEvents(client, id);
  const hours = await listHours(client, id);
  const isReading = counts === 'cumulative';
  const stored = [
    ...(await listPositions(client, id)),
    ...(isReading ? [] : events.map((one) => eventText(one, one.door, one.direction, one.count))),
  ];
  return [
    ...compareParts(stored, ledger, counts),
    ...(isReading ? readingFaults(events, ledger) : []),
    ...hourFaults(
      hours,
      isReading ? events : ledger.filter((one) => one.isConfirmed).flatMap(eventsOf),
    ),
  ];
}

function compareParts(
  stored: readonly string[],
  ledger: readonly Kept[],
  counts: ToldObject['counts'],
): string[] {
  const times = new Map<string, number>();
  for (const text of stored) times.set(text, (times.get(text) ?? 0) + 1);
  const faults: string[] = [];
  for (const { told, isConfirmed } of ledger) {
    const all = told.map((one) => partsOf(one, counts));
    for (const [part, text] of all.at(-1) ?? []) {
      const texts = new Set(all.map((parts) => parts.get(part) ?? ''));
      const count = [...texts].reduce((sum, one) => sum + (times.get(one) ?? 0), 0);
      for (const one of texts) times.delete(one);
      if (count > 1) faults.push(`stored ${count} times: ${text}`);
      else if (count === 0 && isConfirmed) faults.push(`acknowledged and not stored: ${text}`);
      else if (count === 0) faults.push(`not stored: ${text}`);
      else if (!isConfirmed) faults.push(`stored and not acknowledged: ${text}`);
    }
  }
  return [...faults, ...[...times.keys()].map((text) => `stored and never sent: ${text}`)];
}

// Each event is the difference of two readings. Which two depends on the order of arrival; how many people all of them are
// does not.
function readingFaults(events: readonly StoredEvent[], ledger: readonly Kept[]): string[] {
  const keyOf = (one: Omit<StoredEvent, 'count'>): string =>
    `${one.timeMs} ${one.door} ${one.direction}`;
  const readings = ledger.flatMap(eventsOf);
  const known = new Set(readings.map(keyOf));
  const faults = [...Map.groupBy(events, keyOf)].flatMap(([key, same]) => [
    ...(same.length > 1 ? [`stored ${same.length} times: the reading ${key}`] : []),
    ...(known.has(key) ? [] : [`stored and never sent: the reading ${key}`]),
  ]);
  const byCounter = (some: readonly StoredEvent[]) =>
    Map.groupBy(some, ({ door, direction }) => `door ${door} ${direction}`);
  const counted = byCounter(events);
  for (const [counter, own] of byCounter(readings)) {
    const passed = own.slice(1).reduce((sum, { count }, n) => sum + addedTo(own[n], count), 0);
    const people = (counted.get(counter) ?? []).reduce((sum, { count }) => sum + count, 0);
    if (people < passed) faults.push(`not stored: ${passed - people} people, ${counter}`);
    if (people > passed) faults.push(`stored 2 times: ${people - passed} people, ${counter}`);
  }
  return faults;
}

const addedTo = (before: StoredEvent | undefined, value: number): number =>
  (value - (before?.count ?? value) + COUNTER) % COUNTER;

function hourFaults(hours: ReadonlyMap<string, number>, events: readonly StoredEvent[]): string[] {
  const sums = new Map<string, number>();
  for (const { timeMs, direction, count } of events) {
    if (count === 0) continue;
    const key = hourKey(timeMs, direction);
    sums.set(key, (sums.get(key) ?? 0) + count);
  }
  return [...new Set([...sums.keys(), ...hours.keys()])]
    .filter((key) => (sums.get(key) ?? 0) !== (hours.get(key) ?? 0))
    .map(
      (key) => `${hours.get(key) ?? 0} people in the hour ${key}, ${sums.get(key) ?? 0} were sent`,
    );
}

const hourKey = (timeMs: number, direction: string): string =>
  `${new Date(Math.floor(timeMs / HOUR_MS) * HOUR_MS).toISOString()} ${direction}`;

function eventsOf({ told }: Kept): StoredEvent[] {
  return eventsAt(told.at(-1));
}

function eventsAt(told: Told | undefined): StoredEvent[] {
  return Object.entries(told?.doors ?? {}).flatMap(([door, [entered, exited]]) => {
    const at = { timeMs: told?.timeMs ?? 0, door: Number(door) };
    return [
      { ...at, direction: 'entered', count: entered },
      { ...at, direction: 'exited', count: exited },
    ];
  });
}

async function listPositions(client: pg.Client, id: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ points: Buffer }>(
    `select points from position_blocks join units on units.id = unit_id
     where protocol = $1 and protocol_id = $2`,
    [...id],
  );
  return rows
    .flatMap(({ points }) => unpackPoints(points))
    .map(({ sentMs, latitudeE6, longitudeE6, speedE1, course }) =>
      positionText({
        ...{ timeMs: sentMs, latitude: latitudeE6 / 1e6, longitude: longitudeE6 / 1e6 },
        ...{ speedKmh: (speedE1 ?? -1) / 10, course: course ?? -1 },
      }),
    );
}

async function listEvents(client: pg.Client, id: readonly string[]): Promise<StoredEvent[]> {
  const { rows } = await client.query<Omit<StoredEvent, 'timeMs'> & { at: Date }>(
    `select sent_time as at, door, direction, count
     from passenger_events join units on units.id = unit_id
     where protocol = $1 and protocol_id = $2`,
    [...id],
  );
  return rows.map(({ at, ...event }) => ({ ...event, timeMs: at.getTime() }));
}

async function listHours(client: pg.Client, id: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await client.query<{ at: Date; entered: number; exited: number }>(
    `select hour_start as at, sum(entered_adults)::int as entered, sum(exited_adults)::int as exited
     from hourly_traffic join units on units.id = unit_id
     where protocol = $1 and protocol_id = $2 group by hour_start`,
    [...id],
  );
  return new Map(
    rows.flatMap(({ at, entered, exited }) => [
      ...(entered === 0 ? [] : [[hourKey(at.getTime(), 'entered'), entered] as const]),
      ...(exited === 0 ? [] : [[hourKey(at.getTime(), 'exited'), exited] as const]),
    ]),
  );
}
