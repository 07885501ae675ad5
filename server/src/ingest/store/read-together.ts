// Reads for many units by one statement: a thousand connections that send at the same time would each cost a round trip.
import type { Database } from '../../core/db/db.ts';
import { lateError } from './at-once.ts';

/** Statements of a process at the same time, units of each, and the longest wait for one, ms. */
const MOST_RUNNING = 2;
const MOST_TOGETHER = 64;
const LONGEST_WAIT_MS = 5000;

/** A statement with its values; a name has it planned once a connection. */
interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Makes a read that callers share.
 * @param statementOf reads for several units; each row names its unit
 * @returns reads for a unit, which asks once at a time; throws the database's error, AppError unavailable when its turn
 *   comes too late
 */
export function createReadTogether<
  Asked extends { readonly unitId: number },
  Row extends { readonly unit: number },
>(
  { pool }: Pick<Database, 'pool'>,
  statementOf: (asked: readonly Asked[]) => Statement,
): (asked: Asked) => Promise<Row[]> {
  interface Waiting {
    readonly asked: Asked;
    readonly sinceMs: number;
    readonly resolve: (rows: Row[]) => void;
    readonly reject: (error: unknown) => void;
  }
  let running = 0;
  const waiting: Waiting[] = [];
  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, sinceMs: performance.now(), resolve, reject });
      if (running < MOST_RUNNING) void run();
    });

  async function run(): Promise<void> {
    running += 1;
    while (waiting.length > 0) await readSome(waiting.splice(0, MOST_TOGETHER));
    running -= 1;
  }

  async function readSome(taken: readonly Waiting[]): Promise<void> {
    const latestMs = performance.now() - LONGEST_WAIT_MS;
    const some = taken.filter(({ sinceMs }) => sinceMs >= latestMs);
    for (const { sinceMs, reject } of taken) if (sinceMs < latestMs) reject(lateError());
    if (some.length === 0) return;
    try {
      const { rows } = await pool.query<Row>(statementOf(some.map(({ asked }) => asked)));
      const byUnit = Map.groupBy(rows, ({ unit }) => unit);
      for (const { asked, resolve } of some) resolve(byUnit.get(asked.unitId) ?? []);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }
}
