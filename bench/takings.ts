// R1: laps whose takings lie within the error that the estimate states. The limit is the number of laps.
import { loadsOf } from '../server/src/laps/engine/people/loads.ts';
import { revenueOf } from '../server/src/laps/engine/people/revenue.ts';
import { randomOf } from '../server/src/test/drive.ts';
import { priceByLength, rideInProportion } from '../server/src/test/riders.ts';
import { zoneFareKopecks } from '../unit/src/simulated/fares.ts';
import { calculations, DEMO_BUSES, DEMO_SEED, planFleet } from '../unit/src/simulated/plan.ts';
import { lines } from '../unit/src/simulated/routes/lines.ts';
import { type ServiceLap, serviceOf } from '../unit/src/simulated/service.ts';
import { type Bench, type Result, type Row, resultOf } from './measure.ts';

const LAPS = 2000;
const STOPS = 14;
const FIRST_DAY = Date.UTC(2026, 8, 1);
const DAY_MS = 86_400_000;

interface Lap {
  readonly boarded: readonly number[];
  readonly alighted: readonly number[];
  readonly paidKopecks: number;
  readonly priceOf: (from: number, to: number) => number;
}

/** How often the takings of a lap are within the stated error of the revenue. */
export const takings: Bench = {
  ids: ['R1'],
  run: async () => [
    share(
      { what: 'takings within the stated error, riders leave in proportion', target: '≥ 0.93' },
      proportionalLaps(),
    ),
    // Riders of the demo have destinations, so this share is shown, not promised.
    share(
      { what: "takings within the stated error, the demo's riders", target: '≥ 0' },
      demoLaps(),
    ),
  ],
};

function share(row: Pick<Row, 'what' | 'target'>, laps: readonly Lap[]): Result {
  let within = 0;
  let [paid, estimated, missed, stated] = [0, 0, 0, 0];
  for (const { boarded, alighted, paidKopecks, priceOf } of laps) {
    const counts = boarded.map((entered, n) => ({ entered, exited: alighted[n] ?? 0 }));
    const kept = loadsOf(counts, 'entered');
    const revenue = revenueOf(kept.boarded, kept.alighted, priceOf);
    if (Math.abs(revenue.kopecks - paidKopecks) <= revenue.errorKopecks) within += 1;
    paid += paidKopecks;
    estimated += revenue.kopecks;
    missed += Math.abs(revenue.kopecks - paidKopecks);
    stated += revenue.errorKopecks;
  }
  const percent = (part: number): number => Number(((100 * part) / paid).toFixed(2));
  const counters = {
    'bias of all laps, %': percent(estimated - paid),
    'mean error, %': percent(missed),
    'mean stated error, %': percent(stated),
  };
  const pair = { product: within, limit: laps.length };
  return resultOf({ id: 'R1', unit: 'laps', counters, ...row }, [pair]);
}

function proportionalLaps(): Lap[] {
  const random = randomOf(2026);
  return Array.from({ length: LAPS }, () => ({
    ...rideInProportion(random, STOPS, priceByLength),
    priceOf: priceByLength,
  }));
}

function demoLaps(): Lap[] {
  const buses = planFleet(DEMO_BUSES).buses.filter(
    ({ line, group }) => group !== null && calculations[line] === 'CALCULATION',
  );
  const laps: Lap[] = [];
  for (let day = 0; laps.length < LAPS; day += 1) {
    const name = new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);
    for (const bus of buses) {
      const { line } = lines[bus.line];
      const driven = serviceOf(DEMO_SEED, bus, name).laps;
      laps.push(...driven.map((lap) => demoLap(lap, (a, b) => zoneFareKopecks(line, a, b))));
    }
  }
  return laps.slice(0, LAPS);
}

function demoLap({ visits }: ServiceLap, fareOf: (from: number, to: number) => number): Lap {
  return {
    boarded: visits.map(({ boarded }) => boarded.length),
    alighted: visits.map(({ alighted }) => alighted.length),
    paidKopecks: visits
      .flatMap(({ boarded }) => boarded)
      .reduce((sum, who) => sum + fareOf(who.from, who.to), 0),
    priceOf: (from, to) => fareOf(visits[from]?.stop ?? 0, visits[to]?.stop ?? 0),
  };
}
