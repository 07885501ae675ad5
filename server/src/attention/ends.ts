// Finds whether the certificate of the installation's address will run out.
import type { CauseDetails } from '@ridewatch/contract/attention';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { Deps } from '../deps.ts';
import { readCertificateEnd } from './certificate.ts';
import type { OwnCause } from './find-causes.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The certificate needs it so many days before its end: who renews by hand has time, who renews at 30 days is not told. */
const CERTIFICATE_DAYS = 14;

/**
 * Finds whether the certificate runs out, at a moment in ms since 1970 UTC. It is read once an hour. While it cannot be
 * read, an open notice goes on and no new one opens.
 */
export function createEnds({
  database: { db },
  config: { publicUrl },
}: Pick<Deps, 'database' | 'config'>): (nowMs: number) => Promise<OwnCause[]> {
  let certificate: { readonly endMs: number | undefined; readonly readMs: number } | undefined;
  return async (nowMs) => {
    if (publicUrl === undefined) return [];
    const { protocol, host } = new URL(publicUrl);
    if (protocol !== 'https:') return [];
    const isRead = certificate !== undefined && Math.abs(nowMs - certificate.readMs) < HOUR_MS;
    if (!isRead) certificate = { endMs: await readCertificateEnd(publicUrl), readMs: nowMs };
    const endMs = certificate?.endMs ?? (await findNoticedEnd(db, host));
    return certificateCauses(endMs, host, nowMs);
  };
}

// When the certificate ends by the open notice of its host, which begins so many days before: whichever process read it.
async function findNoticedEnd(db: Db, host: string): Promise<number | undefined> {
  const { rows } = await sql<{ since: Date }>`
    select since from attention_causes
    where ended_at is null and kind = 'runs_out' and subject = 'certificate'
      and details ->> 'name' = ${host}`.execute(db);
  const [notice] = rows;
  return notice && notice.since.getTime() + CERTIFICATE_DAYS * DAY_MS;
}

function certificateCauses(endMs: number | undefined, name: string, nowMs: number): OwnCause[] {
  if (endMs === undefined) return [];
  const days = Math.floor((endMs - nowMs) / DAY_MS);
  if (days >= CERTIFICATE_DAYS) return [];
  const details: CauseDetails = { kind: 'runs_out', what: 'certificate', name, days };
  const since = new Date(endMs - CERTIFICATE_DAYS * DAY_MS);
  return [{ subject: 'certificate', since, details, opens: true }];
}
