// Timeouts of the database. Each one is answered with 503, and the unit, screen or job tries again.
import pg from 'pg';
import type { ServerRole } from '../config.ts';
import { reasonOf, StartError } from '../errors.ts';

/** Longest wait for a connection, new or from the pool, ms. */
const CONNECT_LIMIT_MS = 5000;
/** Time for the database's own timeout to arrive before the connection is taken for silent, ms. */
const ANSWER_SLACK_MS = 1000;
/** Idle time before TCP keep-alive probes a connection, ms. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Timeouts of one role, ms. */
export interface ConnectionLimits {
  /** statement_timeout. */
  readonly statementMs: number;
  /** lock_timeout. */
  readonly lockMs: number;
  /** idle_in_transaction_session_timeout: the holder is stuck. */
  readonly idleInTransactionMs: number;
}

// A call has 10 s in all: 5 s to get a connection, or 8 s until an unanswered statement is given up. Queries of screens
// take milliseconds, so 7 s mean overload, and an early error is better than a late answer.
const CALL: ConnectionLimits = { statementMs: 7000, lockMs: 4000, idleInTransactionMs: 30_000 };

/** By role. Migrations, backup and restore use `connectUnlimited` instead. */
export const limitsOf: Readonly<Record<ServerRole, ConnectionLimits>> = {
  api: CALL,
  ingest: CALL,
  // Nobody waits for a job, and one statement reads a day of laps; its locks are held by other jobs of the same bus.
  worker: { statementMs: 60_000, lockMs: 30_000, idleInTransactionMs: 300_000 },
};

/**
 * The options of every database connection.
 * @param name application_name
 * @param limits of the role
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
 * Connects for work on whole tables in a process that serves nobody: migrations, backup and restore. It has no
 * timeouts, whatever the database sets by default.
 * @throws StartError when there is no connection within 5 s
 */
export async function connectUnlimited(url: string, name: string): Promise<pg.Client> {
  const client = await connect(reach(url, name));
  for (const limit of ['statement', 'lock', 'idle_in_transaction_session']) {
    await client.query(`set ${limit}_timeout = 0`);
  }
  return client;
}

// The driver's reason names host, port, user or database, and no password. The address itself may hold one.
async function connect(options: pg.ClientConfig): Promise<pg.Client> {
  try {
    const client = new pg.Client(options);
    // A connection that breaks fails its statement, or the next one; without a listener it would end the process.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  } catch (cause) {
    throw new StartError(`The database does not open (DATABASE_URL): ${reasonOf(cause)}`, {
      cause,
    });
  }
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

/** Closes a connection at once. `end()` would wait for an answer of the other side, which may never come. */
export function cutConnection(client: pg.ClientBase, reason?: Error): void {
  // The driver's types omit the client's connection, which its documentation names.
  const { connection } = client as pg.ClientBase & { connection: pg.Connection };
  connection.stream.destroy(reason);
}

/**
 * Closes a connection whose statement got no answer, not even the database's own timeout: the database is stopped, or
 * the network drops packets. The statement fails with ETIMEDOUT, and the pool removes the connection. The driver's
 * `query_timeout` would give the connection to the next caller with the statement still running.
 */
export function cutWhenSilent(client: pg.ClientBase, { statementMs }: ConnectionLimits): void {
  const limitMs = statementMs + ANSWER_SLACK_MS;
  let timer: NodeJS.Timeout | undefined;
  const ask = (...args: unknown[]): unknown => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const reason = new Error(`The database did not answer within ${limitMs} ms.`);
      cutConnection(client, Object.assign(reason, { code: 'ETIMEDOUT' }));
    }, limitMs).unref();
    // Looked up on the prototype at each call, so that tests can watch it.
    const answer: unknown = Reflect.apply(pg.Client.prototype.query, client, args);
    if (answer instanceof Promise) answer.catch(leaveIfFatal);
    return answer;
  };
  const leaveIfFatal = (error: unknown): void => {
    // The database closes the connection with this error. The pool would hand it out before it notices.
    if (error instanceof pg.DatabaseError && error.severity === 'FATAL') void end(client);
  };
  client.query = ask as pg.ClientBase['query'];
  // No statement is running any more.
  const rest = (): void => clearTimeout(timer);
  client.on('drain', rest).on('end', rest);
}
