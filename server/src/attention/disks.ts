// Finds which disks need attention, of all machines: whichever worker looks finds the same.
import { type CauseDetails, DISK_DAYS } from '@ridewatch/contract/attention';
import { fillOf } from '../core/disk.ts';
import { type DiskReading, daysLeft } from '../core/disk-readings.ts';
import type { OwnCause } from './find-causes.ts';

/** From this share on a disk needs attention; it stays open down to the second one. */
const FULL_OPENS = 0.95;
const FULL_GOES_ON = 0.93;

/**
 * The causes of disks: those that are full, and those that will be crowded.
 * @param disks of all machines; notices name the machine if there are several
 * @param crowded share of a disk from which the oldest video is deleted before its time, 0 to 1
 * @param nowMs ms since 1970 UTC
 */
export function diskCauses(
  disks: readonly DiskReading[],
  crowded: number,
  nowMs: number,
): OwnCause[] {
  const since = new Date(nowMs);
  return disks.flatMap((disk) => {
    const name = disks.length > 1 ? disk.machine : null;
    return [...fullCauses(disk, name, since), ...endCauses(disk, name, crowded, since)];
  });
}

function fullCauses(disk: DiskReading, name: string | null, since: Date): OwnCause[] {
  const fill = fillOf(disk);
  if (fill < FULL_GOES_ON) return [];
  const details = { kind: 'disk_full', percent: Math.floor(100 * fill), machine: name } as const;
  return [{ subject: disk.machine, since, details, opens: fill >= FULL_OPENS }];
}

// A crowded disk does not run out: its oldest video is being deleted.
function endCauses(
  disk: DiskReading,
  name: string | null,
  crowded: number,
  since: Date,
): OwnCause[] {
  const days = daysLeft(disk, crowded);
  // A cause goes on a day longer, so that it does not come and go.
  if (days === undefined || days <= 0 || days > DISK_DAYS + 1) return [];
  const details: CauseDetails = { kind: 'runs_out', what: 'disk', name, days: Math.floor(days) };
  return [{ subject: `disk ${disk.machine}`, since, details, opens: days <= DISK_DAYS }];
}
