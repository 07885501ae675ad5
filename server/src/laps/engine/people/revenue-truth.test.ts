import { describe, expect, it } from 'vitest';
import { randomOf } from '../../../test/drive.ts';
import { priceByLength, rideInProportion } from '../../../test/riders.ts';
import { loadsOf } from './loads.ts';
import { revenueOf } from './revenue.ts';

const LAPS = 2000;

describe('the revenue where riders leave in proportion to where they boarded', () => {
  it.each([[8], [14], [24]])(
    'lies within the stated error of what they paid on at least 93 %% of 2,000 laps of %d stops',
    (stops) => {
      const random = randomOf(2026 + stops);
      let within = 0;
      let [paid, estimated, stated] = [0, 0, 0];
      for (let lap = 0; lap < LAPS; lap += 1) {
        const { boarded, alighted, paidKopecks } = rideInProportion(random, stops, priceByLength);
        const counts = boarded.map((entered, n) => ({ entered, exited: alighted[n] ?? 0 }));
        const kept = loadsOf(counts, 'entered');
        const revenue = revenueOf(kept.boarded, kept.alighted, priceByLength);
        if (Math.abs(revenue.kopecks - paidKopecks) <= revenue.errorKopecks) within += 1;
        paid += paidKopecks;
        estimated += revenue.kopecks;
        stated += revenue.errorKopecks;
      }
      expect(within / LAPS).toBeGreaterThanOrEqual(0.93);
      // Not because it states much.
      expect(stated / paid).toBeLessThan(0.12);
      // No bias: over all laps the errors cancel.
      expect(Math.abs(estimated / paid - 1)).toBeLessThan(0.005);
    },
  );
});
