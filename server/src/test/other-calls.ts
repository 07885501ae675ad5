import { callsOfNews } from './attention.ts';
import { callsOfKeys } from './key-calls.ts';

/** Calls about one's own account. */
const callsOfAccount = [
  'GET /api/auth/me',
  'GET /api/auth/session',
  'POST /api/auth/logout',
  'PUT /api/auth/password',
  'GET /api/auth/sessions',
  'DELETE /api/auth/sessions/{sessionId}',
  'DELETE /api/auth/sessions',
  'GET /api/auth/second-factor',
  'POST /api/auth/second-factor',
  'PUT /api/auth/second-factor',
  'POST /api/auth/second-factor/recovery-codes',
  'POST /api/auth/second-factor/remove',
];

/**
 * Calls that name no object of a customer, those about one's own account and reports, and those about API keys, which
 * have a test of their own.
 */
export const callsWithoutObject = [
  ...callsOfAccount,
  ...callsOfNews,
  ...callsOfKeys,
  'GET /api/bus_list',
  'GET /api/bus_list/board',
  'GET /api/map/{version}',
  'GET /api/admin',
  'GET /api/admin/unit-ports',
  // Customers and buses of tables have names; import.test.ts tries foreign ones.
  'POST /api/admin/import/check',
  'POST /api/admin/import',
  'GET /api/admin/export/{kind}',
  // The tables of users; undo.test.ts tries foreign ones.
  'GET /api/admin/imports',
  'POST /api/admin/imports/{importId}/undo',
  'GET /api/news/active-messages',
  'GET /api/concatenated-medias',
  'GET /api/segments/review-queue',
  'GET /api/reports',
  'GET /api/reports/{reportId}',
  'POST /api/reports/{reportId}/cancel',
];
