// Tells whose records are passed on to upstreams (docs/egts-out.md). A process knows it for three seconds, so that a batch of
// a bus that nobody wants costs nothing.
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { unitNumber } from './object-numbers.ts';

/** Within this time the process learns what an administrator changes, ms. */
const KEEP_MS = 3000;

/** An upstream that wants records of a bus. */
export interface Upstream {
  readonly id: number;
  /** Records of an earlier time are not for it, ms since 1970 UTC. */
  readonly fromMs: number;
  /** Whether it gets people, too. */
  readonly withPeople: boolean;
}

/** Finds the upstreams that may want records of a bus; none of no bus. @param nowMs the present, ms since 1970 UTC */
export type FindUpstreams = (busId: number | null, nowMs: number) => Promise<readonly Upstream[]>;

/** Makes the look-up of one process. */
export function createUpstreamFinder(db: Db): FindUpstreams {
  let known: { readonly readMs: number; readonly byBus: ReturnType<typeof readWanted> } | undefined;
  return async (busId, nowMs) => {
    if (busId === null) return [];
    // A clock that was set back makes nothing last longer.
    if (known === undefined || Math.abs(nowMs - known.readMs) >= KEEP_MS) {
      const byBus = readWanted(db);
      known = { readMs: nowMs, byBus };
      // A failed reading is not kept; all that wait for it fail with it.
      byBus.catch(() => {
        if (known?.byBus === byBus) known = undefined;
      });
    }
    return (await known.byBus).get(busId) ?? [];
  };
}

/**
 * Reads the upstreams that are switched on by bus: of buses with a number there, which a unit of EGTS brings with it, that
 * are in the fleet, and that are or once were a customer's whose buses they get. The sender looks at the day of each record.
 */
export async function readWanted(db: Db): Promise<ReadonlyMap<number, readonly Upstream[]>> {
  const { rows } = await sql<Upstream & { buses: number[] }>`
    select upstream.id, (extract(epoch from created_at) * 1000)::float8 as "fromMs",
      with_people as "withPeople", array(
        select bus from (
          select workplace_id as bus from upstream_buses where upstream_id = upstream.id
          union
          select sat.workplace_id from unit_assignments as sat join units on units.id = sat.unit_id
          where ${unitNumber} is not null
        ) as numbered
        join workplaces on workplaces.id = bus and retired_at is null
        where all_clients or exists (select from bus_owners as owner
          join upstream_clients as wanted using (client_id)
          where owner.workplace_id = bus and wanted.upstream_id = upstream.id)
      ) as buses
    from upstreams as upstream where enabled order by upstream.id`.execute(db);
  const byBus = new Map<number, Upstream[]>();
  for (const { buses, ...upstream } of rows) {
    for (const bus of buses) {
      const others = byBus.get(bus);
      if (others === undefined) byBus.set(bus, [upstream]);
      else others.push(upstream);
    }
  }
  return byBus;
}
