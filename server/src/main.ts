// The server: reads the configuration, opens database and storage, and runs the roles asked for in this process.

import { inspect, parseArgs } from 'node:util';
import { SETUP_LINK_HOURS } from '@ridewatch/contract/setup-links';
import type { FastifyInstance } from 'fastify';
import { releaseTestsJob } from './administration/release-test.ts';
import { buildApp } from './app.ts';
import { attentionJobs } from './attention/jobs.ts';
import { createAuthenticators } from './auth/authenticators.ts';
import { makeSetupLink } from './auth/setup-links.ts';
import { createBacklogWork } from './core/backlog-work.ts';
import { createClock } from './core/clock.ts';
import { allRoles, type Config, readConfig, type ServerRole } from './core/config.ts';
import { embeddedFolder, lockDataDir } from './core/db/data-dir.ts';
import { type DatabaseProcess, startDatabaseProcess } from './core/db/database-process.ts';
import { type Database, migrate } from './core/db/db.ts';
import { openDatabases } from './core/db/role-databases.ts';
import { openDisk } from './core/disk.ts';
import { reasonOf, StartError } from './core/errors.ts';
import { type JobDefinition, migrateJobs, startJobs } from './core/jobs/jobs.ts';
import { createLog, type Log } from './core/log.ts';
import { createMetrics } from './core/metrics.ts';
import { expectOwnPorts } from './core/own-ports.ts';
import { countFragmentJob } from './counts/count-job.ts';
import { prepareDemo } from './demo/seed.ts';
import { silentUnitJob } from './demo/silent-unit-job.ts';
import type { Deps, Feature } from './deps.ts';
import { apiFeatures, ingestFeatures, ingestListeners } from './features.ts';
import { endMonthJob, makeProfilesJob } from './figures/profile-job.ts';
import { rebuildHoursJob } from './figures/rebuild-job.ts';
import { closeDaysJob, settleDaysJob } from './figures/settle-job.ts';
import { checkCountersJob } from './ingest/egts/check-counters-job.ts';
import { placeAsideJob } from './ingest/store/aside-job.ts';
import { lapsJobs } from './laps/jobs.ts';
import { createListeners } from './listeners.ts';
import { watchLiveJob } from './live/watch-job.ts';
import { expectPrograms, whyNoVideo } from './media/ffmpeg.ts';
import { mergeJobs } from './merges/job.ts';
import { recalculateFragmentsJob } from './recalculation/job.ts';
import { reportJobs } from './reports/job.ts';
import { retentionJobs } from './retention/jobs.ts';
import { startSenders } from './retranslation/senders.ts';
import { trimUpstreamsJob } from './retranslation/trim-job.ts';
import { openStorage } from './storage/open.ts';
import { videoJobs } from './video/jobs.ts';

/** Longest wait at shutdown for open requests and jobs, ms. */
const STOP_LIMIT_MS = 20_000;

/** Interval of the check of the embedded database, ms. */
const DATABASE_CHECK_MS = 2_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      roles: { type: 'string' },
      demo: { type: 'boolean', default: false },
    },
  });
  const config = readConfig(undefined, { roles: readRoles(values.roles), demo: values.demo });
  expectOwnPorts(config);
  expectPrograms(config);
  const log = createLog(config.logLevel);
  if (config.clockOffsetMs !== 0) {
    log.warn({ offsetMs: config.clockOffsetMs }, 'the clock is shifted: CLOCK_OFFSET_MS is set');
  }
  const unlock = await lockDataDir(config.dataDir);
  let embedded: DatabaseProcess | undefined;
  try {
    if (config.databaseUrl === undefined) {
      embedded = await startDatabaseProcess(embeddedFolder(config.dataDir));
      log.info({ adopted: embedded.adopted }, 'embedded database runs');
    }
    await serve(config, log, embedded, unlock);
  } catch (error) {
    // The stop cuts connections, which is no news.
    log.level = 'silent';
    if (embedded?.adopted === false) await embedded.stop();
    await unlock();
    throw error;
  }
}

async function serve(
  config: Config,
  log: Log,
  embedded: DatabaseProcess | undefined,
  unlock: () => Promise<void>,
): Promise<void> {
  const url = config.databaseUrl ?? embedded?.url ?? '';
  const applied = await migrate(url);
  await migrateJobs(url);
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  const databases = openDatabases(url, config, log);
  const metrics = createMetrics();
  // A last resort, not a fix: an unhandled rejection is logged and counted, and units' data are still accepted.
  process.on('unhandledRejection', (error) => {
    metrics.unhandledRejections.inc();
    log.error({ err: error }, 'an unhandled rejection');
  });
  const deps: Deps = {
    config,
    database: databases.first,
    storage: await openStorage(config),
    log,
    metrics,
    clock: createClock(config.clockOffsetMs),
    disk: openDisk(config.dataDir, config.diskLimits),
    backlogWork: createBacklogWork(),
    videoOff: whyNoVideo(config),
  };
  if (deps.videoOff !== undefined) log.warn(deps.videoOff, 'video is off');
  await prepareDemo(deps);
  const auth = await createAuthenticators(deps);
  const ingesting = { ...deps, database: databases.of('ingest') };
  const listeners = createListeners(
    config.roles.includes('ingest') ? ingestListeners.flatMap((make) => make(ingesting) ?? []) : [],
    deps,
  );
  const features = [
    ...(config.roles.includes('ingest') ? over(databases.of('ingest'), ingestFeatures) : []),
    ...(config.roles.includes('api') ? over(databases.of('api'), apiFeatures) : []),
  ];
  const app = await buildApp(deps, auth, features, undefined, listeners.isReady);
  const working = { ...deps, database: databases.of('worker') };
  const jobs = config.roles.includes('worker')
    ? await startJobs(working.database, jobsOf(working), { log, metrics })
    : undefined;
  await listen(app, config);
  await listeners.start();
  const stopSenders = config.roles.includes('worker') ? startSenders(working) : undefined;
  // Not earlier: a failed start stops the database, and nothing may start it again.
  const unwatch = embedded && keepAlive(embedded, log);
  if (config.roles.includes('api')) await sayHowToSetUp(deps, app.listeningOrigin);

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    const limit = setTimeout(() => process.exit(1), STOP_LIMIT_MS);
    limit.unref();
    await listeners.stop();
    await app.close();
    await stopSenders?.();
    await jobs?.stop();
    await databases.close();
    await unwatch?.();
    await embedded?.stop();
    await unlock();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  // The parent process is gone.
  process.on('disconnect', () => void stop('disconnect'));
  // The last word of a start: everything is said, and a stop is graceful.
  log.info({ roles: config.roles, address: app.listeningOrigin }, 'ready');
}

async function listen(app: FastifyInstance, { port, host }: Config): Promise<void> {
  await app.listen({ port, host }).catch((cause: unknown) => {
    throw new StartError(`HOST or PORT is invalid: ${reasonOf(cause)}`, { cause });
  });
}

// The only secret that the server prints. It goes to standard error, so that standard output has nothing but the log.
async function sayHowToSetUp({ config, database, clock }: Deps, listening: string): Promise<void> {
  const link = await makeSetupLink(database.db, clock.nowMs());
  if (link === undefined) return;
  const address = config.publicUrl ?? listening.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//localhost');
  process.stderr.write(
    `Nobody administers this installation yet. Open this link once, within ${SETUP_LINK_HOURS} hours:\n${address}${link}\n`,
  );
}

function over(database: Database, features: readonly Feature[]): Feature[] {
  return features.map((feature) => (app, deps, auth) => feature(app, { ...deps, database }, auth));
}

function jobsOf(deps: Deps): JobDefinition[] {
  const single = [watchLiveJob(deps), recalculateFragmentsJob(deps), ...retentionJobs(deps)];
  const attention = attentionJobs(deps);
  const settling = [rebuildHoursJob(deps), settleDaysJob(deps), closeDaysJob(deps)];
  const profiles = [makeProfilesJob(deps), endMonthJob(deps)];
  const counts = [countFragmentJob(deps), ...settling, ...profiles];
  const demo = deps.config.demo ? [silentUnitJob(deps)] : [];
  const files = [...mergeJobs(deps), ...reportJobs(deps)];
  return [
    ...videoJobs(deps),
    ...counts,
    ...files,
    ...lapsJobs(deps),
    placeAsideJob(deps),
    checkCountersJob(deps),
    releaseTestsJob(deps),
    trimUpstreamsJob(deps),
    ...single,
    ...attention,
    ...demo,
  ];
}

// If it was killed (for lack of memory, say), the database is restarted: the server is useless without it.
function keepAlive(database: DatabaseProcess, log: Log): () => Promise<void> {
  let last = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    last = database
      .revive()
      .then(
        (revived) => revived && log.error('the embedded database had ended and was started again'),
      )
      .catch((error: unknown) => log.error({ err: error }, 'the embedded database does not start'))
      .then(() => {
        isBusy = false;
      });
  }, DATABASE_CHECK_MS);
  return async () => {
    clearInterval(timer);
    await last;
  };
}

function readRoles(text: string | undefined): readonly ServerRole[] {
  if (text === undefined) return allRoles;
  return text.split(',').map((name) => {
    const role = allRoles.find((known) => known === name.trim());
    if (role === undefined) {
      throw new StartError(`--roles: '${name}' is not one of ${allRoles.join(', ')}`);
    }
    return role;
  });
}

// parseArgs names the unknown argument.
function hasArgumentFault(error: unknown): error is Error {
  return (
    error instanceof TypeError && 'code' in error && /^ERR_PARSE_ARGS/.test(String(error.code))
  );
}

await main().catch((error: unknown) => {
  // Standard error, not the log: the user who starts the server by hand must see the sentence, or the unexpected error.
  const isMendable = error instanceof StartError || hasArgumentFault(error);
  process.stderr.write(`${isMendable ? error.message : inspect(error)}\n`);
  process.exit(1);
});
