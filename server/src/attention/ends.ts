// Finds what of the installation will run out: the disk at the pace of the last week, the certificate of its address.
import { hostname } from 'node:os';
import { type CauseDetails, DISK_DAYS } from '@ridewatch/contract/attention';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { DiskRoom } from '../core/disk.ts';
import type { Deps } from '../deps.ts';
import { readCertificateEnd } from './certificate.ts';
import type { OwnCause } from './find-causes.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The certificate needs it so many days before its end: who renews by hand has time, who renews at 30 days is not told. */
const CERTIFICATE_DAYS = 14;
/** The pace of the disk is that of so many days, and needs one of them at least. */
const PACE_DAYS = 7;

/**
 * Finds what runs out. The certificate is read once an hour. While it cannot be read, an open notice goes on and no new
 * one opens.
 */
export function createEnds({
  database: { db },
  disk,
  config: { publicUrl },
}: Pick<Deps, 'database' | 'disk' | 'config'>): (
  room: DiskRoom,
  nowMs: number,
) => Promise<OwnCause[]> {
  let certificate: { readonly endMs: number | undefined; readonly readMs: number } | undefined;
  return async (room, nowMs) => {
    const disks = await findDiskEnd(db, room, disk.limits.crowded, nowMs);
    if (publicUrl === undefined) return disks;
    const { protocol, host } = new URL(publicUrl);
    if (protocol !== 'https:') return disks;
    const isRead = certificate !== undefined && Math.abs(nowMs - certificate.readMs) < HOUR_MS;
    if (!isRead) certificate = { endMs: await readCertificateEnd(publicUrl), readMs: nowMs };
    const endMs = certificate?.endMs ?? (await findNoticedEnd(db, host));
    return [...disks, ...certificateCauses(endMs, host, nowMs)];
  };
}

/**
 * When the disk will be crowded, at the pace at which it filled; what was deleted meanwhile counts.
 * @param crowded share of the disk from which the oldest video is deleted before its time
 */
async function findDiskEnd(
  db: Db,
  { totalBytes, freeBytes }: DiskRoom,
  crowded: number,
  nowMs: number,
): Promise<OwnCause[]> {
  const used = totalBytes - freeBytes;
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql<{ hour: Date; used: number }>`
    with noted as (
      insert into disk_readings values (${hostname()}, date_trunc('hour', ${now}), ${used})
      on conflict do nothing
    ), forgotten as (
      delete from disk_readings where hour < ${now} - ${PACE_DAYS}::int * interval '1 day'
    )
    select hour, used_bytes as used from disk_readings
    where machine = ${hostname()} and hour >= ${now} - ${PACE_DAYS}::int * interval '1 day'
      and hour <= ${now} - interval '1 day'
    order by hour limit 1`.execute(db);
  const [first] = rows;
  const left = totalBytes * crowded - used;
  if (first === undefined || left <= 0) return [];
  const perDay = ((used - first.used) * DAY_MS) / (nowMs - first.hour.getTime());
  const days = perDay > 0 ? left / perDay : Number.POSITIVE_INFINITY;
  // A cause goes on a day longer, so that it does not come and go.
  if (days > DISK_DAYS + 1) return [];
  const details: CauseDetails = {
    kind: 'runs_out',
    what: 'disk',
    name: null,
    days: Math.floor(days),
  };
  return [{ subject: 'disk', since: new Date(nowMs), details, opens: days <= DISK_DAYS }];
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
