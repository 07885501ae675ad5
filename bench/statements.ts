import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { fetchAnswer } from './load.ts';

const CALLS = 1000;
/** Wait until the statistics are complete, ms: an idle connection reports after at most ten seconds. */
const TOLD_AFTER_MS = 10_500;

/**
 * Counts the statements of a call, on the average of many: the database counts a transaction for each.
 * @param database address of the product's database
 */
export async function countStatements(
  database: string,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const statements = await statementsDuring(database, async () => {
    for (let call = 0; call < CALLS; call += 1) await fetchAnswer(url, headers);
  });
  // The server's own statements meanwhile are a few among a thousand.
  return Math.round(statements / CALLS);
}

/** Counts the statements of the database during some work, including the server's own ones. */
export async function statementsDuring(
  database: string,
  work: () => Promise<void>,
): Promise<number> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const commits = async (): Promise<number> => {
    await pause(TOLD_AFTER_MS);
    const { rows } = await client.query<{ commits: string }>(
      'select xact_commit as commits from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]?.commits);
  };
  try {
    const before = await commits();
    await work();
    return (await commits()) - before;
  } finally {
    await client.end();
  }
}
