import * as contract from '@ridewatch/contract/admin-audit';
import { reportTypes } from '@ridewatch/contract/reports';
import { insertAudit } from '../core/audit.ts';
import { serve } from '../core/http/http.ts';
import { RawAnswer } from '../core/http/send-cached.ts';
import { createTurns } from '../core/turns.ts';
import type { Feature } from '../deps.ts';
import { attachmentOf } from '../media/serving/send-file.ts';
import { findAuditRow, listAuditRows } from './audit-rows.ts';
import { auditFileName, writeAudit } from './file.ts';
import { listValues } from './values.ts';

/** Longest wait for another file, ms. */
const WAIT_MS = 10_000;

/** The audit log, for administrators. */
export const addAudit: Feature = (app, { database: { db } }, auth) => {
  const turns = createTurns({
    mostWaiting: 10,
    mostOfOne: 2,
    message: 'Other files of the audit log are being written. Try again soon.',
    retryAfterS: 5,
  });

  serve(
    app,
    auth,
    contract.listAudit,
    'admin',
    async ({ query }) => ({
      ...(await listAuditRows(db, query)),
      actions: await listValues(db, 'action'),
      object_types: await listValues(db, 'object_type'),
    }),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.findAuditRow,
    'admin',
    ({ params }) => findAuditRow(db, params.auditId),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.exportAudit,
    'admin',
    async ({ viewer, actor, query }) => {
      const { format, language, ...filters } = query;
      const end = await turns.take(viewer.userId, WAIT_MS);
      const file = await writeAudit(db, filters, format, language).finally(end);
      await insertAudit(db, actor, { action: 'export', objectType: 'audit_log', after: filters });
      return new RawAnswer(file, {
        'content-type': `${reportTypes[format]}${format === 'csv' ? '; charset=utf-8' : ''}`,
        'content-disposition': attachmentOf(auditFileName(format, language)),
        'cache-control': 'no-store',
      });
    },
    'nothing',
  );
};
