import { findStorage, type StorageUse } from '@ridewatch/contract/admin-work';
import { DISK_DAYS } from '@ridewatch/contract/attention';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../../calls/api.ts';
import { formatNumber } from '../../i18n/format.ts';
import drawerStyles from './drawer.module.css';
import { momentText } from './moments.ts';
import { listBy, type Section } from './section.ts';
import styles from './storage.module.css';
import type { AdminTexts } from './texts-ru.ts';
import { useAdminText } from './use-admin-text.ts';
import workStyles from './work.module.css';
import { findIn } from './work.tsx';

const GIB = 1024 ** 3;
/** Beyond this the pace of one week says nothing about the disk, years. */
const HORIZON_YEARS = 2;
const DAYS_OF_YEAR = 365;
const sizeText = (bytes: number, { storage }: AdminTexts): string =>
  bytes >= GIB
    ? storage.gib(formatNumber(Math.round((bytes / GIB) * 10) / 10))
    : storage.mib(formatNumber(Math.round(bytes / 1024 ** 2)));

const leftText = (days: number | null, { storage: said }: AdminTexts): string =>
  days !== null && days > HORIZON_YEARS * DAYS_OF_YEAR
    ? said.yearsLeft(HORIZON_YEARS)
    : said.daysLeft(days);

const listStorage = listBy(findStorage);

/** Lists what the video of each customer takes, and how long the disk lasts. */
export const storage: Section<StorageUse> = {
  name: 'storage',
  none: ({ storage: { none } }) => none,
  list: listStorage,
  find: findIn(listStorage),
  properties: ({ text }) => {
    const said = text.storage;
    const figure = { width: '130px', isNumber: true } as const;
    return [
      {
        ...{ key: 'name', label: text.fields.client_id, sort: 'name', width: 'minmax(160px, 2fr)' },
        ...{ value: ({ name }) => name, inDrawer: 'none' },
      },
      {
        ...{ key: 'bytes', label: said.video, sort: 'bytes', ...figure },
        value: ({ bytes }) => sizeText(bytes, text),
      },
      {
        ...{ key: 'week', label: said.week, sort: 'week_bytes', ...figure },
        value: ({ week_bytes }) => sizeText(week_bytes, text),
      },
      {
        ...{ key: 'fragments', label: said.fragments, sort: 'fragments', ...figure },
        value: ({ fragments }) => formatNumber(fragments),
      },
      {
        ...{ key: 'oldest', label: said.oldest, sort: 'oldest', ...figure, width: '150px' },
        value: ({ oldest }) => momentText(oldest),
      },
    ];
  },
  filters: () => [],
  titleOf: ({ name }) => name,
  noteOf: ({ bytes, fragments }, { text }) =>
    `${sizeText(bytes, text)} · ${text.storage.fragments}: ${formatNumber(fragments)}`,
  Top: DiskFigures,
  Parts: ({ row }) => <ToRetention id={row.id} />,
};

function ToRetention({ id }: { id: number }) {
  const { storage: said } = useAdminText();
  return (
    <Link
      to="/admin/{-$section}/{-$id}"
      params={{ section: 'customers', id: `${id}` }}
      search={{}}
      className={drawerStyles.more}
    >
      {said.toRetention}
    </Link>
  );
}

function DiskFigures() {
  const text = useAdminText();
  const { data } = useEndpoint(findStorage, { query: { perPage: 1 } });
  if (data === undefined) return null;
  const { percent, free_bytes, total_bytes, full_percent, video_bytes, days_left, media } =
    data.disk;
  const said = text.storage;
  const isCrowded = percent >= full_percent;
  const isBeside = media === 's3';
  return (
    <ul className={`${workStyles.figures} ${styles.figures}`}>
      <li data-failed={isCrowded || undefined}>
        <b>{said.disk(percent)}</b>
        <span>{said.free(sizeText(free_bytes, text), sizeText(total_bytes, text))}</span>
        {isCrowded && (
          <Advice text={isBeside ? said.adviceBeside : said.advice} hasJobs>
            {isBeside ? said.crowdedBeside : said.crowded}
          </Advice>
        )}
      </li>
      <li>
        <b>{leftText(days_left, text)}</b>
        <span>{isBeside ? said.s3 : said.until(full_percent)}</span>
        {!isCrowded && days_left !== null && days_left <= DISK_DAYS && (
          <Advice text={said.advice} />
        )}
      </li>
      <li>
        <b>{sizeText(video_bytes, text)}</b>
        <span>{said.allVideo}</span>
      </li>
    </ul>
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
  const { storage: said } = useAdminText();
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
