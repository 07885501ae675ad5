// Gives a fleet driven hours before a measurement, because a live bus's laps are computed from its whole day.
import type { FleetCredentials } from '@ridewatch/contract/fleet';
import type pg from 'pg';
import { type Product, sendRecords } from '../harness/product.ts';
import { LAP_S, saidIn } from './street.ts';

/** Number of buses with different places; the others repeat them. */
export const PHASES = 10;
const HOURS = 6;
const SECONDS_A_BATCH = 7200;

/** Lead of the bus at an index over the first bus, s. */
export function phaseOf(index: number): number {
  return (index % PHASES) * (LAP_S / PHASES);
}

/**
 * Fills the hours up to now for a fleet: a few units send their records, and the rows of the others are copies of
 * theirs, which gives the same rows in less time.
 */
export async function copyMorning(
  product: Product,
  client: pg.Client,
  units: FleetCredentials['units'],
): Promise<void> {
  const endS = Math.floor(Date.now() / 1000);
  for (const [index, { credential }] of units.slice(0, PHASES).entries()) {
    for (let from = endS - HOURS * 3600; from < endS; from += SECONDS_A_BATCH) {
      const seconds = Array.from({ length: SECONDS_A_BATCH }, (_, n) => from + n);
      const records = seconds.flatMap((second) => saidIn(second, phaseOf(index)));
      await sendRecords(product.url, credential, records);
    }
  }
  const pairs = units
    .slice(PHASES)
    .map(({ device_id }, index) => [units[index % PHASES]?.device_id, device_id] as const);
  const made = [pairs.map(([from]) => from), pairs.map(([, to]) => to)];
  const copies = `with copies as (
    select source.id as source, target.id as target, target.workplace_id as bus
    from unnest($1::text[], $2::text[]) as pair (source, target)
    join units source on source.device_id = pair.source
    join units target on target.device_id = pair.target)`;
  await client.query(
    `${copies} insert into position_blocks (unit_id, block_start, point_count, first_time, last_time, points)
     select target, block_start, point_count, first_time, last_time, points
     from copies join position_blocks on unit_id = source`,
    made,
  );
  await client.query(
    `${copies} insert into passenger_events
       (unit_id, stream_id, seq, sent_time, time, workplace_id, door, direction, passenger, count)
     select target, stream_id, seq, sent_time, time, bus, door, direction, passenger, count
     from copies join passenger_events on unit_id = source`,
    made,
  );
  await client.query('vacuum (analyze) position_blocks, passenger_events');
  await client.query('checkpoint');
}
