import { findStorage, type StorageDisk } from '@ridewatch/contract/admin-work';
import { DISK_DAYS } from '@ridewatch/contract/attention';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../../calls/api.ts';
import type { DiskTexts } from './disk-texts-ru.ts';
import { momentText } from './moments.ts';
import { sizeText } from './size-text.ts';
import styles from './storage.module.css';
import { useAdminText } from './use-admin-text.ts';
import { useDiskText } from './use-disk-text.ts';
import workStyles from './work.module.css';

/** Beyond this the pace of one week says nothing about the disk, years. */
const HORIZON_YEARS = 2;
const DAYS_OF_YEAR = 365;

function leftText({ days_left, day_bytes }: StorageDisk, said: DiskTexts): string {
  if (days_left === null) return day_bytes === null ? said.unknownPace : said.steady;
  return days_left > HORIZON_YEARS * DAYS_OF_YEAR
    ? said.yearsLeft(HORIZON_YEARS)
    : said.daysLeft(days_left);
}

/** How full the disks are and how long they last, and what all video takes. */
export function DiskFigures() {
  const text = useAdminText();
  const said = useDiskText();
  const { data } = useEndpoint(findStorage, { query: { perPage: 1 } });
  if (data === undefined) return null;
  const { disks, full_percent, video } = data;
  const isBeside = video.media === 's3';
  return (
    <ul className={`${workStyles.figures} ${styles.figures}`}>
      {disks.map((disk) => (
        <OneDisk key={disk.machine} {...{ disk, isBeside }} fullPercent={full_percent} />
      ))}
      <li>
        <b>{sizeText(video.bytes, text)}</b>
        <span>{isBeside ? said.allVideoBeside : said.allVideo}</span>
      </li>
    </ul>
  );
}

interface DiskProps {
  disk: StorageDisk;
  /** From here on it is crowded. */
  fullPercent: number;
  /** Whether video is in an object store beside it. */
  isBeside: boolean;
}

/** How full a disk is, and how long it lasts. */
function OneDisk({ disk, fullPercent, isBeside }: DiskProps) {
  const text = useAdminText();
  const { machine, percent, free_bytes, total_bytes, days_left, day_bytes, read_at } = disk;
  const said = useDiskText();
  const isCrowded = percent >= fullPercent;
  const advice = isBeside ? said.adviceBeside : said.advice;
  const under = days_left === null || isBeside ? said.pace : said.until(fullPercent);
  return (
    <>
      <li data-failed={isCrowded || undefined}>
        <b>{said.disk(percent)}</b>
        <span>{said.free(sizeText(free_bytes, text), sizeText(total_bytes, text))}</span>
        <span>{said.readAt(machine, momentText(read_at))}</span>
        {isCrowded && (
          <Advice text={advice} hasJobs>
            {isBeside ? said.crowdedBeside : said.crowded}
          </Advice>
        )}
      </li>
      <li>
        <b>{leftText(disk, said)}</b>
        {day_bytes !== null && <span>{under}</span>}
        {!isCrowded && days_left !== null && days_left <= DISK_DAYS && <Advice text={advice} />}
      </li>
    </>
  );
}

interface AdviceProps {
  text: string;
  /** The part that is done already. */
  children?: string;
  /** The way to failed jobs, too: they may be those that would free the disk. */
  hasJobs?: boolean;
}

/** Advice about a disk that fills up, with the way to what frees it. */
function Advice({ text, children, hasJobs = false }: AdviceProps) {
  const said = useDiskText();
  const wayTo = (section: string, search: { state?: string }, name: string) => (
    <Link
      to="/admin/{-$section}/{-$id}"
      params={{ section, id: undefined }}
      search={search}
      className={workStyles.link}
    >
      {name}
    </Link>
  );
  return (
    <div className={styles.advice}>
      <p>
        {children} {text}
      </p>
      <p className={styles.ways}>
        {wayTo('customers', {}, said.toCustomers)}
        {hasJobs && wayTo('jobs', { state: 'failed' }, said.toJobs)}
      </p>
    </div>
  );
}
