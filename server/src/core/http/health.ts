import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { CoreDeps } from '../core-deps.ts';
import { AppError, notFound } from '../errors.ts';
import { degradedOf } from '../jobs/job-backlogs.ts';
import { createBacklogReader, watchJobs } from '../jobs/job-watch.ts';
import { isInsider } from './insider.ts';

/** Longest wait of `/readyz` for the database, ms. A probe waits no longer and takes the process out of service. */
const READY_LIMIT_MS = 3000;

/**
 * Adds the routes of probes and scrapes: liveness, readiness and metrics. Strangers learn from them only whether the
 * process is ready.
 * @param isOpen whether every port of the process accepts connections
 */
export function addHealth(app: FastifyInstance, deps: CoreDeps, isOpen: () => boolean): void {
  const { database, metrics, log } = deps;
  const readBacklogs = createBacklogReader(deps);
  app.get('/healthz', async () => ({ status: 'ok' }));
  // Concurrent probes share one query: probes of a silent database must not take its connections one by one.
  let asking: Promise<unknown> | undefined;
  app.get('/readyz', async (request) => {
    if (!isOpen()) throw new AppError('unavailable', 'The process is starting or stopping.');
    asking ??= sql`select 1`.execute(database.db).finally(() => {
      asking = undefined;
    });
    try {
      await inTime(asking);
      if (!isInsider(request, deps.config)) return { status: 'ok' };
      const degraded = degradedOf(await inTime(readBacklogs()));
      const video = deps.videoOff?.todo;
      const isWell = degraded.length === 0 && video === undefined;
      return isWell ? { status: 'ok' } : { status: 'degraded', degraded, video };
    } catch (cause) {
      throw new AppError('unavailable', 'The database does not answer.', { cause });
    }
  });
  app.get('/metrics', async (request, reply) => {
    if (!isInsider(request, deps.config)) throw notFound();
    try {
      await inTime(readBacklogs());
    } catch (err) {
      // Without a database the metrics of the process matter all the more.
      log.warn({ err }, 'jobs were not counted');
      metrics.jobsWaiting.reset();
      metrics.jobsOldestSeconds.reset();
    }
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  // Also in processes that serve screens: administrators must learn of it when no worker runs at all.
  if (!deps.config.roles.some((role) => role === 'worker' || role === 'api')) return;
  const stop = watchJobs(deps, readBacklogs);
  app.addHook('onClose', async () => stop());
}

async function inTime<T>(asked: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error('The database did not answer in time.')),
    READY_LIMIT_MS,
  );
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
