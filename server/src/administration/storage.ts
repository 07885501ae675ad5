// The disks, and the space that video takes. The sums read every file's row, so a process makes them at most every ten
// minutes.
import type * as contract from '@ridewatch/contract/admin-work';
import type { QueryOf, ResponseOf } from '@ridewatch/contract/endpoint';
import { sql } from 'kysely';
import { clientName } from '../access/client.ts';
import { hasDayOf } from '../access/visible.ts';
import { Cache, cached } from '../core/cache.ts';
import type { CoreDeps } from '../core/core-deps.ts';
import type { Db } from '../core/db/db.ts';
import { type Disk, fillOf } from '../core/disk.ts';
import { type DiskReading, daysLeft, listDisks } from '../core/disk-readings.ts';
import { contains, readPage, wireOf } from './page.ts';

const KEEP_MS = 10 * 60_000;
const WEEK_DAYS = 7;

type Use = contract.StorageUse;
interface Sums {
  readonly uses: readonly Use[];
  readonly videoBytes: number;
  readonly madeMs: number;
}
type Answer = ResponseOf<typeof contract.findStorage>;

/** The storage of one installation, with the sums that this process keeps. */
export function createStorageReport(
  deps: Pick<CoreDeps, 'database' | 'clock' | 'disk' | 'config'>,
) {
  const { database, clock, disk, config } = deps;
  const kept = new Cache<'sums', Promise<Sums>>({ most: 1, age: { keepMs: KEEP_MS, clock } });
  return async (query: QueryOf<typeof contract.findStorage>): Promise<Answer> => {
    const sums = await cached(kept, 'sums', () => sumVideo(database.db, clock.nowMs()));
    const disks = await readDisks(database.db, disk, clock.nowMs());
    const { crowded } = disk.limits;
    const rows = sql`select * from jsonb_to_recordset(${JSON.stringify(sums.uses)}::jsonb)
      as used (id bigint, name text, bytes bigint, fragments int, week_bytes bigint, oldest text)
      where ${contains(query.search, sql`name`)}`;
    const by = query.sortBy ?? 'bytes';
    const page = await readPage<Use>(database.db, rows, query, {
      by: by === 'name' ? sql`name collate natural_ru` : sql.ref(by),
      isDescending: query.sortBy === undefined,
    });
    return {
      ...page,
      disks: disks.map((one) => wireOfDisk(one, crowded)),
      full_percent: Math.round(crowded * 100),
      video: {
        media: config.s3 === undefined ? 'folder' : 's3',
        bytes: sums.videoBytes,
        made_at: new Date(sums.madeMs).toISOString(),
      },
    };
  };
}

// The disks that workers read last. Before the first reading it is the own disk, of which no pace is known.
async function readDisks(db: Db, disk: Disk, nowMs: number): Promise<DiskReading[]> {
  const read = await listDisks(db);
  if (read.length > 0) return read;
  const { machine } = disk;
  return [{ machine, ...(await disk.read()), readMs: nowMs, dayBytes: undefined }];
}

function wireOfDisk(disk: DiskReading, crowded: number): contract.StorageDisk {
  const { machine, totalBytes, freeBytes, readMs, dayBytes } = disk;
  const days = daysLeft(disk, crowded);
  return {
    ...{ machine, total_bytes: totalBytes, free_bytes: freeBytes },
    percent: Math.floor(fillOf(disk) * 100),
    day_bytes: dayBytes === undefined ? null : Math.round(dayBytes),
    days_left: days === undefined || days === Number.POSITIVE_INFINITY ? null : Math.floor(days),
    read_at: new Date(readMs).toISOString(),
  };
}

async function sumVideo(db: Db, nowMs: number): Promise<Sums> {
  const since = new Date(nowMs - WEEK_DAYS * 86_400_000);
  // A playable file that is the source is one file. Video belongs to the owners of its day.
  const { rows } = await sql<Omit<Use, 'oldest'> & { oldest: Date | null; client: boolean }>`
    with files as (
      select workplace_id, segments.id, min(start_time) as start_time, sum(size_bytes) as bytes,
        coalesce(sum(size_bytes) filter (where file.created_at >= ${since}), 0) as week_bytes
      from (select distinct on (segment_id, storage_key) segment_id, storage_key, size_bytes,
          created_at from segment_files) as file
      join segments on segments.id = segment_id join cameras on cameras.id = camera_id
      group by workplace_id, segments.id
    ), of_owners as (
      select client_id, sum(bytes) as bytes, count(*) as fragments,
        sum(week_bytes) as week_bytes, min(start_time) as oldest
      from files join bus_owners as allowed on allowed.workplace_id = files.workplace_id
        and ${hasDayOf(sql.ref('files.workplace_id'), sql.ref('files.start_time'))}
      group by client_id
    )
    select clients.id, ${clientName} as name, true as client, coalesce(bytes, 0)::bigint as bytes,
      coalesce(fragments, 0)::int as fragments, coalesce(week_bytes, 0)::bigint as week_bytes, oldest
    from clients left join of_owners on client_id = clients.id
    union all
    select 0, '', false, coalesce(sum(bytes), 0)::bigint, count(*)::int, 0, null
    from files`.execute(db);
  const all = rows.find(({ client }) => !client);
  return {
    uses: rows.filter(({ client }) => client).map(({ client: _, ...use }) => wireOf(use)),
    videoBytes: all?.bytes ?? 0,
    madeMs: nowMs,
  };
}
