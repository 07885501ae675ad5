// The disks of the machines of an installation: each worker notes the one of its DATA_DIR when it looks for what needs
// attention. All that is said of a disk comes from here, so that no two places differ.
import { sql } from 'kysely';
import type { Db } from './db/db.ts';
import type { Disk, DiskRoom } from './disk.ts';

const DAY_MS = 24 * 3_600_000;
/** The pace of a disk is that of so many days, and needs one of them at least. */
const PACE_DAYS = 7;
/**
 * A machine that has read no disk for so long is taken for gone. Readings of a time that is so far ahead are from before
 * the clock was set back; the clocks of machines that work differ by less.
 */
const GONE_DAYS = 1;
/** Most machines, those that read their disks last. */
const MAX_DISKS = 20;

/** A disk as its machine read it last. */
export interface DiskReading extends DiskRoom {
  /** Host name. */
  readonly machine: string;
  /** ms since 1970 UTC. */
  readonly readMs: number;
  /** The room that filled in a day; what was deleted meanwhile counts. Undefined until a day has passed. */
  readonly dayBytes: number | undefined;
}

/**
 * Reads the disk and notes it as that of its machine. Forgets machines that are gone.
 * @param nowMs ms since 1970 UTC
 */
export async function noteDisk(db: Db, disk: Disk, nowMs: number): Promise<void> {
  const { totalBytes, freeBytes } = await disk.read();
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const ahead = sql`${now} + ${GONE_DAYS}::int * interval '1 day'`;
  await sql`
    with noted as (
      insert into disk_readings
      values (${disk.machine}, date_trunc('hour', ${now}), ${totalBytes - freeBytes})
      on conflict do nothing
    ), forgotten as (
      delete from disk_readings
      where hour < ${now} - ${PACE_DAYS}::int * interval '1 day' or hour > ${ahead}
    ), gone as (
      delete from disks
      where machine <> ${disk.machine}
        and (read_at < ${now} - ${GONE_DAYS}::int * interval '1 day' or read_at > ${ahead})
    )
    insert into disks (machine, total_bytes, free_bytes, read_at)
    values (${disk.machine}, ${totalBytes}, ${freeBytes}, ${now})
    on conflict (machine) do update set total_bytes = excluded.total_bytes,
      free_bytes = excluded.free_bytes, read_at = excluded.read_at`.execute(db);
}

/** The last readings by machine, without those of machines that were gone when a disk was noted last. */
export async function listDisks(db: Db): Promise<DiskReading[]> {
  const { rows } = await sql<{
    machine: string;
    totalBytes: number;
    freeBytes: number;
    readAt: Date;
    firstUsed: number | null;
    firstHour: Date | null;
  }>`
    with latest as (select * from disks order by read_at desc, machine limit ${MAX_DISKS})
    select latest.machine, total_bytes as "totalBytes", free_bytes as "freeBytes",
      read_at as "readAt", first.used_bytes as "firstUsed", first.hour as "firstHour"
    from latest left join lateral (
      select hour, used_bytes from disk_readings
      where machine = latest.machine and hour >= read_at - ${PACE_DAYS}::int * interval '1 day'
        and hour <= read_at - interval '1 day'
      order by hour limit 1
    ) as first on true
    order by latest.machine`.execute(db);
  return rows.map(({ machine, totalBytes, freeBytes, readAt, firstUsed, firstHour }) => {
    const readMs = readAt.getTime();
    const isKnown = firstUsed !== null && firstHour !== null;
    const dayBytes = isKnown
      ? ((totalBytes - freeBytes - firstUsed) * DAY_MS) / (readMs - firstHour.getTime())
      : undefined;
    return { machine, totalBytes, freeBytes, readMs, dayBytes };
  });
}

/**
 * How many days a disk lasts at its pace.
 * @param crowded share of the disk until which it lasts, 0 to 1
 * @returns 0 when it is crowded; infinity while it does not fill; undefined while its pace is not known, and for a disk
 *   that names no size
 */
export function daysLeft(
  { totalBytes, freeBytes, dayBytes }: DiskReading,
  crowded: number,
): number | undefined {
  if (totalBytes === 0) return undefined;
  const left = freeBytes - totalBytes * (1 - crowded);
  if (left <= 0) return 0;
  if (dayBytes === undefined) return undefined;
  return dayBytes > 0 ? left / dayBytes : Number.POSITIVE_INFINITY;
}
