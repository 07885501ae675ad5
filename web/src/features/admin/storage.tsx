import { findStorage, type StorageUse } from '@ridewatch/contract/admin-work';
import { useEndpoint } from '../../calls/api.ts';
import { formatNumber } from '../../i18n/format.ts';
import { momentText } from './moments.ts';
import { listBy, type Section } from './section.ts';
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

/** What the video of each customer takes, and how long the disk lasts. */
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
};

function DiskFigures() {
  const text = useAdminText();
  const { data } = useEndpoint(findStorage, { query: { perPage: 1 } });
  if (data === undefined) return null;
  const { percent, free_bytes, total_bytes, full_percent, video_bytes, days_left, media } =
    data.disk;
  const said = text.storage;
  return (
    <ul className={workStyles.figures}>
      <li data-failed={percent >= full_percent || undefined}>
        <b>{said.disk(percent)}</b>
        <span>{said.free(sizeText(free_bytes, text), sizeText(total_bytes, text))}</span>
      </li>
      <li>
        <b>{leftText(days_left, text)}</b>
        <span>{media === 's3' ? said.s3 : said.until(full_percent)}</span>
      </li>
      <li>
        <b>{sizeText(video_bytes, text)}</b>
        <span>{said.allVideo}</span>
      </li>
    </ul>
  );
}
