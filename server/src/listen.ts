import pg from 'pg';
import type { Deps } from './app.ts';

const RECONNECT_MS = 1000;

/**
 * Hears what processes tell each other through the database. A notification may be lost with the connection:
 * whoever listens must also look for itself now and then.
 * @param onNotice gets the payload; called with an empty one after each reconnection too
 * @returns ends the listening
 */
export async function listen(
  { database, log }: Pick<Deps, 'database' | 'log'>,
  channel: string,
  onNotice: (payload: string) => void,
): Promise<() => Promise<void>> {
  let stopped = false;
  let client: pg.Client | undefined;
  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: database.url, application_name: 'ridewatch' });
    next.on('notification', ({ payload }) => onNotice(payload ?? ''));
    next.on('error', (error) => {
      if (stopped) return;
      log.warn({ reason: error.message, channel }, 'lost a listening connection');
      again();
    });
    client = next;
    await next.connect();
    await next.query(`listen ${next.escapeIdentifier(channel)}`);
  };
  const again = (): void => {
    const timer = setTimeout(() => {
      if (stopped) return;
      connect().then(
        () => onNotice(''),
        (error: unknown) => {
          log.warn({ reason: String(error), channel }, 'cannot listen');
          again();
        },
      );
    }, RECONNECT_MS);
    timer.unref();
  };
  await connect();
  return async () => {
    stopped = true;
    await client?.end();
  };
}
