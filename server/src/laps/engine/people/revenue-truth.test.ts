import { describe, expect, it } from 'vitest';
import { randomOf } from '../../../test/drive.ts';
import { loadsOf } from './loads.ts';
import { revenueOf } from './revenue.ts';

interface Rider {
  readonly from: number;
}

/**
 * A lap on which everybody on board is equally likely to get off at a stop, wherever they got on. At each stop a share
 * of them leaves; at the last one all.
 * @param priceOf kopecks
 */
function ride(
  random: () => number,
  stops: number,
  priceOf: (from: number, to: number) => number,
): { boarded: number[]; alighted: number[]; paidKopecks: number } {
  const boarded: number[] = [];
  const alighted: number[] = [];
  let aboard: Rider[] = [];
  let paidKopecks = 0;
  for (let stop = 0; stop < stops; stop += 1) {
    const isLast = stop === stops - 1;
    const share = isLast ? 1 : random() * 0.4;
    const stay: Rider[] = [];
    for (const rider of aboard) {
      if (random() < share) paidKopecks += priceOf(rider.from, stop);
      else stay.push(rider);
    }
    alighted.push(aboard.length - stay.length);
    const entering = isLast ? 0 : Math.floor(random() * 9);
    boarded.push(entering);
    aboard = [...stay, ...Array.from({ length: entering }, () => ({ from: stop }))];
  }
  return { boarded, alighted, paidKopecks };
}

/** A fare by zones of three stops: 40, 52, 65, … roubles. */
const priceOf = (from: number, to: number): number =>
  4000 + 1250 * (Math.floor(to / 3) - Math.floor(from / 3));

const LAPS = 2000;

describe('the revenue where riders leave in proportion to where they boarded', () => {
  it.each([[8], [14], [24]])(
    'lies within the stated error of what they paid on at least 93 %% of 2,000 laps of %d stops',
    (stops) => {
      const random = randomOf(2026 + stops);
      let within = 0;
      let [paid, estimated] = [0, 0];
      for (let lap = 0; lap < LAPS; lap += 1) {
        const { boarded, alighted, paidKopecks } = ride(random, stops, priceOf);
        const counts = boarded.map((entered, n) => ({ entered, exited: alighted[n] ?? 0 }));
        const kept = loadsOf(counts, 'entered');
        const revenue = revenueOf(kept.boarded, kept.alighted, priceOf);
        if (Math.abs(revenue.kopecks - paidKopecks) <= revenue.errorKopecks) within += 1;
        paid += paidKopecks;
        estimated += revenue.kopecks;
      }
      expect(within / LAPS).toBeGreaterThanOrEqual(0.93);
      // No bias: over all laps the errors cancel.
      expect(Math.abs(estimated / paid - 1)).toBeLessThan(0.005);
    },
  );
});
