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
import { isToldByForm } from './edit-form.tsx';
import type { FormField } from './form-values.ts';
import { MediaPart } from './media-part.tsx';
import { momentText } from './moments.ts';
import { NewsReaders } from './news-readers.tsx';
import { type AdminContext, findBy, listBy, type Section } from './section.ts';
import { newsText, useNewsText } from './use-news-text.ts';

function stateOf({ active, date_from }: AdminNews, { today }: AdminContext): string {
  if (!active) return newsText().hidden;
  return date_from > today ? newsText().later : newsText().shown;
}

const fieldsOf = (): FormField[] => {
  const text = newsText();
  return [
    {
      ...{ key: 'type', kind: 'choice', label: text.type },
      options: (['NEWS', 'FAQ'] as const).map((value) => ({ value, label: text.types[value] })),
    },
    { key: 'title', kind: 'text', label: text.title, isRequired: true },
    {
      ...{ key: 'text', kind: 'area', label: text.text, isRequired: true },
      ...{ most: MOST_NEWS_TEXT, hint: text.textHint },
    },
    { key: 'active', kind: 'yes', label: text.active },
    { key: 'date_from', kind: 'day', label: text.from },
  ];
};

/** News and questions. */
export const newsSection: Section<AdminNews> = {
  name: 'news',
  list: listBy(listAdminNews),
  find: findBy(findAdminNews, 'newsId'),
  columns: (context) => {
    const text = newsText();
    return [
      {
        ...{ key: 'title', label: text.title, sort: 'title', width: 'minmax(180px, 3fr)' },
        cell: ({ title }) => title,
      },
      {
        ...{ key: 'type', label: text.type, sort: 'type', width: '100px' },
        cell: ({ type }) => text.types[type],
      },
      {
        ...{ key: 'from', label: text.from, sort: 'date_from', width: '120px' },
        cell: ({ date_from }) => formatDay(date_from),
      },
      {
        ...{ key: 'state', label: text.state, width: '140px' },
        cell: (row) => stateOf(row, context),
      },
      {
        ...{ key: 'readers', label: text.readers, sort: 'readers', width: '110px', isNumber: true },
        cell: ({ readers }) => formatNumber(readers),
      },
    ];
  },
  filters: () => {
    const text = newsText();
    return [
      {
        ...{ key: 'kind', query: 'type', label: text.type },
        options: (['NEWS', 'FAQ'] as const).map((value) => ({ value, label: text.types[value] })),
      },
      {
        ...{ key: 'state', query: 'active', label: text.state },
        options: (['true', 'false'] as const).map((value) => ({
          value,
          label: text.states[value],
        })),
      },
    ];
  },
  titleOf: ({ title }) => title,
  noteOf: (row, context) =>
    [newsText().types[row.type], stateOf(row, context), formatDay(row.date_from)].join(' · '),
  facts: (row, context) => {
    const text = newsText();
    return [
      [text.type, text.types[row.type]],
      [text.state, stateOf(row, context)],
      [text.from, formatDay(row.date_from)],
      [text.readers, formatNumber(row.readers)],
      [context.text.fields.created_at, momentText(row.created_at)],
    ];
  },
  create: ({ today }) => ({
    fields: fieldsOf(),
    values: { type: 'NEWS', title: '', text: '', active: false, date_from: today },
    save: async (fields) =>
      (await call(createNews, { body: fields as never, isQuiet: isToldByForm })).id,
  }),
  edit: (row) => ({
    fields: fieldsOf(),
    values: {
      ...{ type: row.type, title: row.title, text: row.text },
      ...{ active: row.active, date_from: row.date_from },
    },
    save: async (changed, version) => {
      const params = { newsId: row.id as never };
      return (
        await call(updateNews, { params, body: { ...changed, version }, isQuiet: isToldByForm })
      ).id;
    },
  }),
  Parts: ({ row }) => <NewsParts key={row.id} row={row} />,
};

function NewsParts({ row }: { row: AdminNews }) {
  const text = useNewsText();
  const params = { newsId: row.id as never };
  const dateFrom = new Date(dayRange(row.date_from, FALLBACK_ZONE).startMs).toISOString();
  return (
    <>
      <DrawerPart title={text.preview}>
        <Article item={{ ...row, dateFrom, mediaId: row.media?.id ?? null, read: true }} />
      </DrawerPart>
      {row.type === 'NEWS' && <NewsReaders row={row} />}
      <MediaPart
        media={row.media}
        set={(file) => call(setNewsMedia, { params, body: { file } })}
        remove={() => call(deleteNewsMedia, { params })}
      />
      <DeleteButton
        note={text.deleteNews}
        section="news"
        remove={() => call(deleteNews, { params })}
      />
    </>
  );
}
