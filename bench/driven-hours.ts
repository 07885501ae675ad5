// What a fleet has driven before a measurement begins: a live bus's laps are worked out from its whole day.
import type { FleetCredentials } from '@ridewatch/contract/fleet';
import type pg from 'pg';
import { type Product, sendRecords } from '../e2e/product.ts';
import { LAP_S, saidIn } from './street.ts';

/** So many buses differ in where they are; the others drive as one of them does. */
export const PHASES = 10;
const HOURS = 6;
const SECONDS_A_BATCH = 7200;

/** How far ahead of the first bus the one at a place of the list drives, s. */
export function phaseOf(index: number): number {
  return (index % PHASES) * (LAP_S / PHASES);
}

/**
 * Has a fleet driven for the hours up to now: a few units send it, the rows of the others are copies of theirs, which
 * is what they would have become and spares the minutes.
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
