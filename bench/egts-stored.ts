// Compares what is stored with what a fleet sent and was told is stored: each record once, as it was sent. Without this a
// rate would also count records that are lost, doubled or damaged.
import { unpackPoints } from '@ridewatch/server/src/positions/pack.ts';
import type pg from 'pg';
import type { FleetUnit } from './egts-fleet.ts';
import { A_FRAME, type Made, recordsOf, VARIANTS, type Work } from './egts-frames.ts';

/** Units that one query reads. */
const AT_ONCE = 100;
const DAY_S = 86_400;
/** EGTS has steps of 2 cm, and the store of 11 cm: a coordinate may be rounded to the neighbour, millionths of a degree. */
const ROUNDED = 1;

/**
 * Looks whether each record of a round is stored once.
 * @throws Error which says how many are missing, doubled or different
 */
export async function expectStored(
  client: pg.Client,
  units: readonly FleetUnit[],
  work: Work,
): Promise<void> {
  const wanted = Array.from({ length: VARIANTS }, (_, variant) => {
    const made = recordsOf(work, variant);
    return new Map(made.map((one) => [one.second, one]));
  });
  const wrong = { missing: 0, doubled: 0, different: 0, unknown: 0 };
  const list = work.kind === 'counts' ? listCounts : listPositions;
  const [first, last] = [work.startS, work.startS + work.frames * A_FRAME - 1];
  // A disorder has records of the days before, too, and so have the rounds before it.
  const days = work.isDisordered ? [0, 1, 2, 3] : [0];
  const isOfRound = ({ second }: Made): boolean =>
    days.some((day) => second >= first - day * DAY_S && second <= last - day * DAY_S);
  const oldest = first - Math.max(...days) * DAY_S;
  for (let from = 0; from < units.length; from += AT_ONCE) {
    const some = units.slice(from, from + AT_ONCE);
    const stored = await list(client, some, oldest, last);
    for (const [n, { unitId }] of some.entries()) {
      const own = wanted[(from + n) % VARIANTS] ?? new Map<number, Made>();
      compare((stored.get(unitId) ?? []).filter(isOfRound), own, wrong);
    }
  }
  if (work.kind === 'counts') await expectHours(client, units);
  const faults = Object.entries(wrong).filter(([, count]) => count > 0);
  if (faults.length === 0) return;
  const said = faults.map(([what, count]) => `${count} ${what}`).join(', ');
  throw new Error(`Not what was sent and confirmed: ${said}.`);
}

// Hours and days add each event once.
async function expectHours(client: pg.Client, units: readonly FleetUnit[]): Promise<void> {
  const { rows } = await client.query<{ events: number; hours: number }>(
    `select (select coalesce(sum(count), 0) from passenger_events where unit_id = any($1))::int as events,
       (select coalesce(sum(entered_adults), 0) from hourly_traffic where unit_id = any($1))::int as hours`,
    [units.map(({ unitId }) => unitId)],
  );
  const { events, hours } = rows[0] ?? {};
  if (events !== hours) throw new Error(`${events} people came, and ${hours} are in the hours.`);
}

function compare(
  stored: readonly Made[],
  wanted: ReadonlyMap<number, Made>,
  wrong: { missing: number; doubled: number; different: number; unknown: number },
): void {
  const seen = new Set<number>();
  for (const one of stored) {
    const sent = wanted.get(one.second);
    if (sent === undefined) wrong.unknown += 1;
    else if (seen.has(one.second)) wrong.doubled += 1;
    else if (!isSame(one, sent)) wrong.different += 1;
    seen.add(one.second);
  }
  for (const second of wanted.keys()) if (!seen.has(second)) wrong.missing += 1;
}

function isSame(stored: Made, sent: Made): boolean {
  const near = (a: number, b: number): boolean => Math.abs(Math.round((a - b) * 1e6)) <= ROUNDED;
  if (sent.entered > 0) return stored.entered === sent.entered;
  return (
    near(stored.latitude, sent.latitude) &&
    near(stored.longitude, sent.longitude) &&
    Math.abs(stored.speedKmh - sent.speedKmh) < 0.06 &&
    stored.course === sent.course
  );
}

type ByUnit = Map<number, Made[]>;

async function listPositions(
  client: pg.Client,
  units: readonly FleetUnit[],
  first: number,
  last: number,
): Promise<ByUnit> {
  const { rows } = await client.query<{ unit_id: string; points: Buffer }>(
    `select unit_id, points from position_blocks
     where unit_id = any($1) and last_time >= $2 and first_time <= $3`,
    [units.map(({ unitId }) => unitId), new Date(first * 1000), new Date(last * 1000)],
  );
  const found: ByUnit = new Map(units.map(({ unitId }) => [unitId, []]));
  for (const { unit_id: unitId, points } of rows) {
    const own = found.get(Number(unitId)) ?? [];
    for (const point of unpackPoints(points)) {
      const second = point.sentMs / 1000;
      if (second < first || second > last) continue;
      own.push({
        second,
        latitude: point.latitudeE6 / 1e6,
        longitude: point.longitudeE6 / 1e6,
        speedKmh: (point.speedE1 ?? Number.NaN) / 10,
        course: point.course ?? Number.NaN,
        entered: 0,
      });
    }
  }
  return found;
}

async function listCounts(
  client: pg.Client,
  units: readonly FleetUnit[],
  first: number,
  last: number,
): Promise<ByUnit> {
  const { rows } = await client.query<{ unit_id: string; second: number; entered: number }>(
    `select unit_id, extract(epoch from sent_time)::float8 as second, count as entered
     from passenger_events where unit_id = any($1) and time between $2 and $3`,
    [units.map(({ unitId }) => unitId), new Date(first * 1000), new Date(last * 1000)],
  );
  const found: ByUnit = new Map(units.map(({ unitId }) => [unitId, []]));
  const none = { latitude: 0, longitude: 0, speedKmh: 0, course: 0 };
  for (const { unit_id: unitId, second, entered } of rows) {
    found.get(Number(unitId))?.push({ second, entered, ...none });
  }
  return found;
}
