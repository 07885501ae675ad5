// How long the product waits for the database. Each limit has an answer of its own: 503, and a unit or a screen that
// asks again; a job that is tried again.
import pg from 'pg';
import type { ServerRole } from '../config.ts';

/** Longest wait for a connection, for one that is made and for one that others have, ms. */
const CONNECT_LIMIT_MS = 5000;
/** What the database has for its own time-out to arrive before the connection is taken for silent, ms. */
const ANSWER_SLACK_MS = 1000;
/** A connection on which nothing is said asks after this time whether the other side is there (TCP keep-alive), ms. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** What one role allows a statement of its own; ms. */
export interface ConnectionLimits {
  /** The database ends a statement that runs longer. */
  readonly statementMs: number;
  /** The database ends a statement that waits longer for what another transaction holds. */
  readonly lockMs: number;
  /** The database ends a connection whose transaction stands open that long: its holder is stuck. */
  readonly idleInTransactionMs: number;
}

// A call has 10 s in all: 5 to get a connection, or 8 until a statement without an answer is given up. What screens ask
// takes milliseconds, so 7 s are overload, and an answer now is worth more than one when nobody waits any more.
const CALL: ConnectionLimits = { statementMs: 7000, lockMs: 4000, idleInTransactionMs: 30_000 };

/** By role. Migrations, backup and restore connect for themselves and have none: `connectUnlimited`. */
export const limitsOf: Readonly<Record<ServerRole, ConnectionLimits>> = {
  api: CALL,
  ingest: CALL,
  // Nobody waits for a job, and a day of laps is read in one statement; a lock is held by another job of the same bus.
  worker: { statementMs: 60_000, lockMs: 30_000, idleInTransactionMs: 300_000 },
};

/**
 * What every connection to the database is opened with.
 * @param name the application's, under which the database lists it
 * @param limits of the role that works with it
 */
export function connectionOptions(
  url: string,
  name: string,
  limits: ConnectionLimits,
): pg.ClientConfig {
  return {
    ...reach(url, name),
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  };
}

/**
 * Connects for what changes or copies whole tables, in a process that serves nobody meanwhile: migrations, backup and
 * restore. Such work has no limits, whatever the database has been told for others.
 * @throws the database's error when the connection is not had in 5 s
 */
export async function connectUnlimited(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client(reach(url, name));
  await client.connect();
  for (const limit of ['statement', 'lock', 'idle_in_transaction_session']) {
    await client.query(`set ${limit}_timeout = 0`);
  }
  return client;
}

function reach(url: string, name: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  };
}

async function end(client: pg.ClientBase): Promise<void> {
  await (client as pg.Client).end();
}

/** Cuts a connection at once; `end()` would wait for a word of the other side, which may be silent for good. */
export function cutConnection(client: pg.ClientBase, reason?: Error): void {
  // The driver's types leave out what its documentation names: a client's connection.
  const { connection } = client as pg.ClientBase & { connection: pg.Connection };
  connection.stream.destroy(reason);
}

/**
 * Cuts a connection on which a statement has had no answer, not even the database's own time-out: the database was
 * stopped, or something on the way swallows what is said. The statement fails with ETIMEDOUT, and the pool lets go of
 * the connection, as it does of one that the database ends; the driver's own `query_timeout` would give it to the next one with the statement still under way.
 */
export function cutWhenSilent(client: pg.ClientBase, { statementMs }: ConnectionLimits): void {
  const limitMs = statementMs + ANSWER_SLACK_MS;
  let timer: NodeJS.Timeout | undefined;
  const ask = (...args: unknown[]): unknown => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const reason = new Error(`the database has said nothing for ${limitMs} ms`);
      cutConnection(client, Object.assign(reason, { code: 'ETIMEDOUT' }));
    }, limitMs).unref();
    // By the prototype at each call, where tests look on.
    const answer: unknown = Reflect.apply(pg.Client.prototype.query, client, args);
    if (answer instanceof Promise) answer.catch(leaveIfFatal);
    return answer;
  };
  const leaveIfFatal = (error: unknown): void => {
    // The database ends the connection with this word, and the pool would hand it to the next one before it has.
    if (error instanceof pg.DatabaseError && error.severity === 'FATAL') void end(client);
  };
  client.query = ask as pg.ClientBase['query'];
  // Nothing is under way any more.
  const rest = (): void => clearTimeout(timer);
  client.on('drain', rest).on('end', rest);
}
