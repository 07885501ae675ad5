// LISTEN over one connection a process, which is reconnected when it is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { CoreDeps } from '../core-deps.ts';
import { createFaultLog } from '../fault-log.ts';
import { connectionOptions, cutConnection, cutWhenSilent } from './connections.ts';
import type { Database } from './db.ts';

/** First and longest backoff before a reconnection, ms. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** A connection that lasted this long was healthy: the backoff starts again, ms. */
const WELL_AFTER_MS = 60_000;
/** Interval of the connection check, ms. Without it, the loss of a silent database would go unnoticed. */
const LOOK_EVERY_MS = 20_000;
/** Longest wait for the database to close a connection, ms. */
const CLOSE_LIMIT_MS = 1000;

/**
 * Receives notifications from other processes. A lost connection loses notifications, so a listener must also poll.
 * There is one connection at a time. A lost or silent one is closed before the next is opened, after a backoff that
 * doubles from 0.5 s to 15 s.
 * @param onNotice gets the payload; also called with an empty one after each reconnection
 * @returns stops the listening; resolves once the first connection listens
 * @throws the database's error when the first connection fails
 */
export async function listen(
  { database, log, clock }: Pick<CoreDeps, 'database' | 'log' | 'clock'>,
  channel: string,
  onNotice: (payload: string) => void,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const faults = createFaultLog({ log, clock });
  let current = await open(database, channel, onNotice);

  const keepListening = async (): Promise<void> => {
    let waitMs = FIRST_WAIT_MS;
    let sinceMs = performance.now();
    while (!signal.aborted) {
      const reason = await current.lost;
      if (signal.aborted) return;
      log.warn({ reason, channel }, 'lost a listening connection');
      if (performance.now() - sinceMs > WELL_AFTER_MS) waitMs = FIRST_WAIT_MS;
      while (!signal.aborted) {
        await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
        if (signal.aborted) return;
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
        try {
          current = await open(database, channel, onNotice);
          faults.work(channel, { channel }, 'listens again');
          break;
        } catch (error) {
          const reason = String(error);
          faults.fail(channel, reason, { reason, channel }, 'cannot listen');
        }
      }
      sinceMs = performance.now();
      if (signal.aborted) await current.close();
      else onNotice('');
    }
  };
  const kept = keepListening();
  return async () => {
    stopping.abort();
    await current.close();
    await kept;
  };
}

interface Listening {
  /** Rejects when the connection is lost; it is closed by then. */
  readonly lost: Promise<string>;
  close(): Promise<void>;
}

async function open(
  { url, limits }: Database,
  channel: string,
  onNotice: (payload: string) => void,
): Promise<Listening> {
  const client = new pg.Client(connectionOptions(url, 'ridewatch', limits));
  const lost = Promise.withResolvers<string>();
  let looking: NodeJS.Timeout | undefined;
  const lose = (error: Error): void => {
    clearInterval(looking);
    cutConnection(client);
    lost.resolve(error.message);
  };
  client.on('error', lose);
  client.on('end', () => lose(new Error('the connection ended')));
  client.on('notification', ({ payload }) => onNotice(payload ?? ''));
  try {
    await client.connect();
    cutWhenSilent(client, limits);
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
  } catch (error) {
    cutConnection(client);
    throw error;
  }
  looking = setInterval(() => void client.query('select').catch(lose), LOOK_EVERY_MS);
  looking.unref();
  const close = async (): Promise<void> => {
    clearInterval(looking);
    const cutting = setTimeout(() => cutConnection(client), CLOSE_LIMIT_MS);
    await client.end();
    clearTimeout(cutting);
    lost.resolve('closed');
  };
  return { lost: lost.promise, close };
}
