import {
  type AdminNews,
  createNews,
  deleteNews,
  deleteNewsMedia,
  findAdminNews,
  listAdminNews,
  MOST_NEWS_TEXT,
  setNewsMedia,
  updateNews,
} from '@ridewatch/contract/admin-news';
import { dayRange, FALLBACK_ZONE } from '@ridewatch/contract/day';
import { call } from '../../calls/request.ts';
import { formatDay, formatNumber } from '../../i18n/format.ts';
import { Article } from '../../news/article.tsx';
import { DeleteButton } from './delete-button.tsx';
import { DrawerPart } from './drawer-part.tsx';
import { MediaPart } from './media-part.tsx';
import { momentText } from './moments.ts';
import { NewsReaders } from './news-readers.tsx';
import { callOfRow } from './row-calls.ts';
import { type AdminContext, findBy, listBy, optionsOf, type Section } from './section.ts';
import { formsOf } from './section-form.ts';
import { newsText, useNewsText } from './use-news-text.ts';

function newsStateOf({ type, active, date_from }: AdminNews, { today }: AdminContext): string {
  const showing = newsText().showing[type];
  if (!active) return showing.hidden;
  return date_from > today ? showing.later : showing.shown;
}

const TYPES = ['NEWS', 'FAQ'] as const;
const SHOWN = ['true', 'false'] as const;

/** News and questions. */
export const newsSection: Section<AdminNews> = {
  name: 'news',
  list: listBy(listAdminNews),
  find: findBy(findAdminNews, 'newsId'),
  properties: (context) => {
    const text = newsText();
    return [
      {
        ...{ key: 'title', label: text.title, sort: 'title', width: 'minmax(180px, 3fr)' },
        ...{ value: ({ title }) => title, inDrawer: 'none' },
      },
      {
        ...{ key: 'type', label: text.type, sort: 'type', width: '100px' },
        value: ({ type }) => text.types[type],
      },
      {
        ...{ key: 'from', label: text.from, sort: 'date_from', width: '120px' },
        value: ({ date_from }) => formatDay(date_from),
      },
      {
        ...{ key: 'state', label: text.state, width: '140px' },
        value: (row) => newsStateOf(row, context),
      },
      {
        ...{ key: 'readers', label: text.readers, sort: 'readers', width: '110px', isNumber: true },
        value: ({ readers }) => formatNumber(readers),
      },
      {
        ...{ key: 'created_at', label: context.text.fields.created_at },
        value: ({ created_at }) => momentText(created_at),
      },
    ];
  },
  filters: () => {
    const { type, types, state, states } = newsText();
    return [
      { key: 'kind', query: 'type', label: type, options: optionsOf(TYPES, types) },
      { key: 'state', query: 'active', label: state, options: optionsOf(SHOWN, states) },
    ];
  },
  titleOf: ({ title }) => title,
  noteOf: (row, context) =>
    [newsText().types[row.type], newsStateOf(row, context), formatDay(row.date_from)].join(' · '),
  ...formsOf({
    create: { by: createNews, idOf: ({ id }) => id },
    change: { by: updateNews, params: ({ id }: AdminNews) => ({ newsId: id }) },
    fields: ({ today }) => {
      const text = newsText();
      return [
        {
          ...{ key: 'type', kind: 'choice', label: text.type, initial: 'NEWS' },
          options: optionsOf(TYPES, text.types),
        },
        { key: 'title', kind: 'text', label: text.title, isRequired: true },
        {
          ...{ key: 'text', kind: 'area', label: text.text, isRequired: true },
          ...{ most: MOST_NEWS_TEXT, hint: text.textHint },
        },
        { key: 'active', kind: 'yes', label: text.active },
        { key: 'date_from', kind: 'day', label: text.from, initial: today },
      ];
    },
  }),
  Actions: DeleteOne,
  Parts: ({ row }) => <NewsParts key={row.id} row={row} />,
};

function NewsParts({ row }: { row: AdminNews }) {
  const text = useNewsText();
  const params = { newsId: row.id };
  const dateFrom = new Date(dayRange(row.date_from, FALLBACK_ZONE).startMs).toISOString();
  return (
    <>
      <DrawerPart title={text.preview}>
        <Article item={{ ...row, dateFrom, mediaId: row.media?.id ?? null, read: true }} />
      </DrawerPart>
      <MediaPart
        media={row.media}
        set={(file, signal) =>
          callOfRow((isQuiet) => call(setNewsMedia, { params, body: { file }, isQuiet, signal }))
        }
        remove={() => callOfRow((isQuiet) => call(deleteNewsMedia, { params, isQuiet }))}
      />
      {/* Below the controls: the readers load later, and would move them. */}
      {row.type === 'NEWS' && <NewsReaders row={row} />}
    </>
  );
}

function DeleteOne({ row }: { row: AdminNews }) {
  const params = { newsId: row.id };
  return (
    <DeleteButton
      note={useNewsText().deleteNews}
      section="news"
      remove={() => callOfRow((isQuiet) => call(deleteNews, { params, isQuiet }))}
    />
  );
}
