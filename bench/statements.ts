import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { fetchAnswer } from './load.ts';

const CALLS = 1000;
/** A connection that has become idle tells the statistics what it did after at most ten seconds, ms. */
const TOLD_AFTER_MS = 10_500;

/**
 * How many statements of its own a call runs, on the average of many: the database counts a transaction for each.
 * @param database where the product's database answers, for a look behind the calls
 */
export async function countStatements(
  database: string,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const statements = await statementsDuring(database, async () => {
    for (let call = 0; call < CALLS; call += 1) await fetchAnswer(url, headers);
  });
  // What the server does by itself meanwhile is a few statements among a thousand.
  return Math.round(statements / CALLS);
}

/** How many statements the database runs while something is done, the server's own ones among them. */
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
