import * as contract from '@ridewatch/contract/admin-work';
import { asAdministered, checkAdministers } from '../access/administration.ts';
import { findBus } from '../access/bus.ts';
import { findClients } from '../access/client.ts';
import { findBusOnDays } from '../access/own-days.ts';
import { insertAudit } from '../core/audit.ts';
import { AppError } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import { requestLaps } from '../days/due-laps.ts';
import type { Feature } from '../deps.ts';
import { createStorageReport } from './storage.ts';
import { listClasses, listFailedDays, listJobs, readJob, runJobNow } from './work.ts';

/** Background jobs, days that could not be worked out, and storage. */
export const addWork: Feature = (app, deps, auth) => {
  const { db } = deps.database;
  const storage = createStorageReport(deps);

  serve(
    app,
    auth,
    contract.listJobs,
    'admin',
    async ({ query }) => ({ ...(await listJobs(db, query)), classes: await listClasses(db) }),
    'nothing',
  );

  serve(app, auth, contract.findJob, 'admin', ({ params }) => readJob(db, params.jobId), 'nothing');

  serve(
    app,
    auth,
    contract.retryJob,
    'admin',
    async ({ params, actor }) => {
      await db.transaction().execute(async (tx) => {
        const job = await readJob(tx, params.jobId);
        if (job.state === 'running' || !(await runJobNow(tx, job.id))) {
          throw new AppError('conflict', 'The job is running.');
        }
        await insertAudit(tx, actor, {
          action: 'retry_job',
          objectType: 'job',
          objectId: job.id,
          before: {
            ...{ task: job.task, ...partsOf(job.object), key: job.key },
            ...{ attempts: job.attempts, error: job.last_error },
          },
        });
      });
      return undefined;
    },
    'nothing',
  );

  serve(app, auth, contract.listFailedDays, 'user', async ({ viewer, query }) => {
    if (query.clientId !== undefined) await findClients(db, viewer, [query.clientId]);
    checkAdministers(viewer);
    return listFailedDays(db, viewer, query, deps.clock.nowMs());
  });

  serve(app, auth, contract.retryFailedDay, 'user', async ({ viewer, actor, body }) => {
    await db.transaction().execute(async (tx) => {
      const bus = asAdministered(viewer, await findBus(tx, viewer, body.workplaceId));
      const days = { busId: bus.id, from: body.date, to: body.date };
      await findBusOnDays(tx, viewer, days, 'date');
      await requestLaps(tx, bus.id, [body.date], { nowMs: actor.atMs, waitMs: 0 });
      await insertAudit(tx, actor, {
        action: 'retry_day',
        objectType: 'workplace',
        objectId: bus.id,
        after: { date: body.date },
      });
    });
    return undefined;
  });

  serve(app, auth, contract.findStorage, 'admin', ({ query }) => storage(query), 'nothing');
};

/** The known parts of a job's object. */
const partsOf = (object: contract.JobObject | null) =>
  Object.fromEntries(Object.entries(object ?? {}).filter(([, value]) => value !== null));
