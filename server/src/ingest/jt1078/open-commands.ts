// Looks which units, of those whose terminals are signed in here, have open commands of which kinds. A look costs a search
// of an index for each unit and kind, however many commands are open.
import type { CommandKind } from '@ridewatch/contract/unit-commands';
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { DEPOT_WAIT_MS } from '../../fetching/waits.ts';
import type { Terminals } from '../jt808/terminals.ts';

/** Units of a look; the next looks take the others. The database needs about 10 ms for so many. */
const MOST_UNITS = 2000;

/** The units whose commands a look finds: the named ones, all, or the slice whose turn it is. */
type Looked = readonly number[] | 'all' | undefined;

/** A unit with open commands of a kind. */
export interface OpenCommands {
  readonly unitId: number;
  readonly kind: CommandKind;
}

/**
 * Makes the looks of one process.
 * @param kinds that are looked for
 * @param mostUnits of a look; tests have fewer
 * @returns looks at some units, at all, or at those whose turn it is; throws the database's error, and then the turn is still theirs
 */
export function createCommandLooks(
  { database: { db }, clock }: Pick<Deps, 'database' | 'clock'>,
  terminals: Pick<Terminals, 'unitIds'>,
  kinds: readonly CommandKind[],
  mostUnits = MOST_UNITS,
): (some?: Looked) => Promise<OpenCommands[]> {
  /** The last unit of the look before; 0: the next look begins with the first one. */
  let lastId = 0;

  const unitsAfter = (afterId: number): number[] =>
    terminals
      .unitIds()
      .filter((unitId) => unitId > afterId)
      .sort((a, b) => a - b);

  async function lookAtNext(): Promise<OpenCommands[]> {
    const left = unitsAfter(lastId);
    const units = left.slice(0, mostUnits);
    const open = await lookAt(units);
    lastId = left.length > mostUnits ? (units.at(-1) ?? 0) : 0;
    return open;
  }

  async function lookAtAll(): Promise<OpenCommands[]> {
    const all = unitsAfter(0);
    const open: OpenCommands[] = [];
    for (let from = 0; from < all.length; from += mostUnits) {
      open.push(...(await lookAt(all.slice(from, from + mostUnits))));
    }
    return open;
  }

  async function lookAt(unitIds: readonly number[]): Promise<OpenCommands[]> {
    if (unitIds.length === 0) return [];
    // Older ones have expired.
    const since = new Date(clock.nowMs() - DEPOT_WAIT_MS);
    // The limit makes the database look up each unit by itself, and not read all open commands.
    const { rows } = await sql<OpenCommands>`
      select here.unit_id as "unitId", wanted.kind
      from unnest(${[...unitIds]}::bigint[]) as here (unit_id)
      cross join unnest(${[...kinds]}::text[]) as wanted (kind)
      cross join lateral (
        select from unit_commands
        where unit_id = here.unit_id and kind = wanted.kind and finished_at is null
          and created_at > ${since}::timestamptz
        limit 1) as open`.execute(db);
    return rows;
  }

  return (some) => {
    if (some === undefined) return lookAtNext();
    return some === 'all' ? lookAtAll() : lookAt(some);
  };
}
