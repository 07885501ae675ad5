import { type RawBuilder, sql } from 'kysely';

/**
 * Whether the times of a fragment stay, as SQL of the table `segments`: its video is here or was, bytes of it are, or its
 * registrar was asked for the file of these times.
 */
export const HAS_SETTLED_TIMES: RawBuilder<boolean> = sql`(
  segments.status not in ('ADDING', 'ADDED', 'LIVE', 'DOWNLOADING_FROM_TASK', 'DOWNLOAD_FAIL')
  or exists (select from segment_files where segment_id = segments.id)
  or exists (select from uploads where segment_id = segments.id)
  or exists (select from ftp_logins where segment_id = segments.id))`;
