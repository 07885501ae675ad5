import { findStorage, type StorageUse } from '@ridewatch/contract/admin-work';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../i18n/format.ts';
import { DiskFigures } from './disk-figures.tsx';
import drawerStyles from './drawer.module.css';
import { momentText } from './moments.ts';
import { listBy, type Section } from './section.ts';
import { sizeText } from './size-text.ts';
import { useAdminText } from './use-admin-text.ts';
import { findIn } from './work.tsx';

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
