import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { CoreDeps } from '../core-deps.ts';
import { AppError } from '../errors.ts';
import { degradedOf } from '../jobs/job-backlogs.ts';
import { createBacklogReader, watchJobs } from '../jobs/job-watch.ts';

/** Longest that `/readyz` waits for the database, ms; who probes waits no longer, and takes us out of service. */
const READY_LIMIT_MS = 3000;

/**
 * Adds what probes and scrapes ask: whether the process runs, whether it can work, and its numbers.
 * @param isOpen whether every port of the process takes what comes
 */
export function addHealth(app: FastifyInstance, deps: CoreDeps, isOpen: () => boolean): void {
  const { database, metrics, log } = deps;
  const readBacklogs = createBacklogReader(deps);
  app.get('/healthz', async () => ({ status: 'ok' }));
  // One question for all who ask meanwhile: probes of a silent database must not take its connections one by one.
  let asking: Promise<unknown> | undefined;
  app.get('/readyz', async () => {
    if (!isOpen()) throw new AppError('unavailable', 'The process is starting or stopping.');
    asking ??= sql`select 1`.execute(database.db).finally(() => {
      asking = undefined;
    });
    try {
      await inTime(asking);
      const degraded = degradedOf(await inTime(readBacklogs()));
      return degraded.length === 0 ? { status: 'ok' } : { status: 'degraded', degraded };
    } catch (cause) {
      throw new AppError('unavailable', 'The database does not answer.', { cause });
    }
  });
  app.get('/metrics', async (_request, reply) => {
    try {
      await inTime(readBacklogs());
    } catch (err) {
      // Without a database the numbers of the process itself are worth all the more.
      log.warn({ err }, 'jobs were not counted');
      metrics.jobsWaiting.reset();
      metrics.jobsOldestSeconds.reset();
    }
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  // Where screens are served, too: with no worker at all administrators must read of it.
  if (!deps.config.roles.some((role) => role === 'worker' || role === 'api')) return;
  const stop = watchJobs(deps, readBacklogs);
  app.addHook('onClose', async () => stop());
}

async function inTime<T>(asked: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), READY_LIMIT_MS);
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
