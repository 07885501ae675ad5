// L1: a bus's day at one position a second, against a monotonic projection onto the route. L3: the delay of a live
// bus's laps while a month of a hundred buses arrives, against the delay otherwise.
import { f64 } from '@ridewatch/contract/columns';
import pg from 'pg';
import { databaseUrl, sendRecords, setUpFleet, startProduct, waitFor } from '../harness/product.ts';
import { followBus } from '../server/src/laps/engine/engine.ts';
import type { RoutePath } from '../server/src/laps/engine/route-path.ts';
import { cleanTrack, type Positions } from '../server/src/laps/engine/track/track.ts';
import { drive, pathOf, positionsOf, thereAndBack } from '../server/src/test/drive.ts';
import { type Bench, interleave, type Result, resultOf } from './measure.ts';

const DAY_POINTS = 86_400;
const BUSES = 100;
const DAYS = 30;
const EVERY_MS = 5 * 60_000;
const MINUTE_MS = 60_000;

/** Measures the computation of a day's laps, and the delay of the present by a backlog. */
export const laps: Bench = {
  ids: ['L1', 'L3'],
  run: async (isWanted) => [
    ...(isWanted('L1') ? [await measureDay()] : []),
    ...(isWanted('L3') ? [await measureBacklog()] : []),
  ],
};

async function measureDay(): Promise<Result> {
  const corners = Array.from(
    { length: 1000 },
    (_, n) => [n * 14, 300 * Math.sin(n / 40) + 40 * Math.sin(n / 3)] as const,
  );
  const stops = corners.filter((_, n) => n % 36 === 0);
  const route = {
    ...thereAndBack(stops, Number.POSITIVE_INFINITY),
    track: thereAndBack(corners, Number.POSITIVE_INFINITY).track,
  };
  const truth = drive(route, { seed: 1, startMs: Date.UTC(2026, 2, 10), laps: 16 });
  const positions = positionsOf(truth.points.slice(0, DAY_POINTS));
  const path = pathOf(route);
  const rateOf = (work: () => void): number => {
    const startMs = performance.now();
    work();
    return DAY_POINTS / ((performance.now() - startMs) / 1000);
  };
  return interleave(
    {
      id: 'L1',
      what: `laps, halts and visits of a day of ${DAY_POINTS} positions, ${route.track.length} vertices; 1,000,000 wanted`,
      unit: 'positions/s',
      target: '≥ 0.06',
      counters: { laps: truth.laps.length, stops: route.stops.length },
    },
    async () => rateOf(() => void followBus(positions, route, [])),
    async () => rateOf(() => void projectedOn(positions, path)),
  );
}

// The minimal work: clean the track and project it onto the path.
function projectedOn(positions: Positions, path: RoutePath): Float64Array {
  const track = cleanTrack(positions, path.plane);
  const progress = new Float64Array(track.length);
  const edges = path.x.length - 1;
  const squareTo = (edge: number, px: number, py: number): number => {
    const ax = f64(path.x, edge);
    const ay = f64(path.y, edge);
    const dx = f64(path.x, edge + 1) - ax;
    const dy = f64(path.y, edge + 1) - ay;
    const square = dx * dx + dy * dy;
    const along = square === 0 ? 0 : ((px - ax) * dx + (py - ay) * dy) / square;
    const share = Math.min(1, Math.max(0, along));
    return (px - ax - share * dx) ** 2 + (py - ay - share * dy) ** 2;
  };
  let edge = 0;
  for (let n = 0; n < track.length; n += 1) {
    const px = f64(track.x, n);
    const py = f64(track.y, n);
    while (squareTo((edge + 1) % edges, px, py) < squareTo(edge, px, py)) {
      edge = (edge + 1) % edges;
    }
    progress[n] = f64(path.at, edge);
  }
  return progress;
}

async function measureBacklog(): Promise<Result> {
  const product = await startProduct();
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  try {
    const { customer, driveAt } = streetOf(BUSES + 1);
    const [live, ...late] = await setUpFleet(product.url, { customers: [customer] });
    if (live === undefined) throw new Error('no bus');
    // The live bus is watched all the time.
    await client.query(
      `insert into watched_buses (workplace_id, wanted_until)
       select workplace_id, now() + interval '1 day' from units where device_id = $1`,
      [live.device_id],
    );
    // Time from a batch of the live bus to its laps.
    const secondsToLaps = async (): Promise<number> => {
      const startMs = Date.now();
      await sendRecords(product.url, live.credential, driveAt(startMs - MINUTE_MS, 50, 1000));
      await waitFor(async () => {
        const { rows } = await client.query(
          `select from lap_days join units using (workplace_id)
           where device_id = $1 and computed_at > $2`,
          [live.device_id, new Date(startMs)],
        );
        return rows.length > 0;
      }, 'laps of the live bus');
      return (Date.now() - startMs) / 1000;
    };
    const alone = [await secondsToLaps(), await secondsToLaps(), await secondsToLaps()];
    const firstMs = Date.now() - (DAYS + 1) * 86_400_000;
    for (const { credential } of late) {
      const records = driveAt(firstMs, (DAYS * 86_400_000) / EVERY_MS, EVERY_MS);
      await sendRecords(product.url, credential, records);
    }
    const behind = [await secondsToLaps(), await secondsToLaps(), await secondsToLaps()];
    const { rows } = await client.query<{ waiting: number }>(
      `select count(*)::int as waiting from graphile_worker.jobs
       where task_identifier = 'laps_of_past_day'`,
    );
    return resultOf(
      {
        id: 'L3',
        what: `from a live bus's batch to its laps, while ${DAYS} days of ${BUSES} buses wait`,
        unit: 's',
        target: '≤ 1.2',
        counters: { waitingDays: rows[0]?.waiting ?? 0 },
      },
      behind.map((product, n) => ({ product, limit: alone[n] ?? Number.NaN })),
    );
  } finally {
    await client.end();
    await product.remove();
  }
}

/** Plans a customer with a street and buses on it, with records of a drive along it. */
function streetOf(buses: number) {
  const at = (m: number) => ({ latitude: 55.75, longitude: 37.6 + m / 62_580 });
  const stops = Array.from({ length: 11 }, (_, n) => n * 500);
  const stop = (m: number, routeDirection: 'FORWARD' | 'REVERSE') => ({
    name: `Остановка ${m}`,
    ...at(m),
    routeDirection,
  });
  const group = {
    name: '1',
    type_calculation: 'FIXED' as const,
    track: [at(0), at(5000)],
    stops: [
      ...stops.map((m) => stop(m, 'FORWARD')),
      ...[...stops].reverse().map((m) => stop(m, 'REVERSE')),
    ],
  };
  const bus = (_: unknown, n: number) => ({
    name: `Автобус ${n + 1}`,
    type: 'VMS' as const,
    timezone: 'Europe/Moscow',
    gps_trackable: true,
    group: '1',
    device_id: `bench-${n + 1}`,
    cameras: [],
  });
  const driveAt = (fromMs: number, count: number, everyMs: number) =>
    Array.from({ length: count }, (_, n) => {
      const ms = fromMs + n * everyMs;
      // Both directions take 20 minutes.
      const m = Math.abs((((ms / 1000) * 8) % 10_000) - 5000);
      return { type: 'position', time: new Date(ms).toISOString(), ...at(m), speed_kmh: 29 };
    });
  return {
    customer: { name: 'Иван', groups: [group], buses: Array.from({ length: buses }, bus) },
    driveAt,
  };
}
