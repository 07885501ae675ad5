import {
  type AdminMessage,
  createMessage,
  deleteMessage,
  deleteMessageMedia,
  findAdminMessage,
  listAdminMessages,
  setMessageMedia,
  updateMessage,
} from '@ridewatch/contract/admin-news';
import { call } from '../../calls/request.ts';
import { formatDay } from '../../i18n/format.ts';
import { NewsMedia } from '../../news/news-media.tsx';
import { BannerBox } from '../../ui/banner-box.tsx';
import { DeleteButton } from './delete-button.tsx';
import { DrawerPart } from './drawer-part.tsx';
import { isToldByForm } from './edit-form.tsx';
import type { FormField } from './form-values.ts';
import { MediaPart } from './media-part.tsx';
import { momentText } from './moments.ts';
import { type AdminContext, findBy, listBy, type Section } from './section.ts';
import { newsText, useNewsText } from './use-news-text.ts';

/** Longest text of a banner, characters. */
const MOST_TEXT = 2000;

function stateOf({ active, date_from, date_to }: AdminMessage, { today }: AdminContext): string {
  if (!active) return newsText().hidden;
  if (date_from !== null && date_from > today) return newsText().later;
  return date_to !== null && date_to < today ? newsText().over : newsText().shown;
}

function daysOf({ date_from, date_to }: AdminMessage): string {
  if (date_from === null && date_to === null) return newsText().always;
  return `${date_from === null ? '…' : formatDay(date_from)} – ${date_to === null ? '…' : formatDay(date_to)}`;
}

const fieldsOf = (): FormField[] => {
  const text = newsText();
  return [
    { key: 'title', kind: 'text', label: text.title, isRequired: true },
    { key: 'text', kind: 'area', label: text.text, isRequired: true, most: MOST_TEXT },
    { key: 'active', kind: 'yes', label: text.active },
    { key: 'date_from', kind: 'day', label: text.from, noDay: text.noDay },
    { key: 'date_to', kind: 'day', label: text.to, noDay: text.noDay },
  ];
};

/** Banners above the bus list. */
export const messagesSection: Section<AdminMessage> = {
  name: 'messages',
  list: listBy(listAdminMessages),
  find: findBy(findAdminMessage, 'messageId'),
  columns: (context) => {
    const text = newsText();
    return [
      {
        ...{ key: 'title', label: text.title, sort: 'title', width: 'minmax(160px, 2fr)' },
        cell: ({ title }) => title,
      },
      {
        ...{ key: 'text', label: text.text, width: 'minmax(160px, 3fr)' },
        cell: (row) => row.text,
      },
      {
        ...{ key: 'days', label: text.days, sort: 'date_from', width: '200px' },
        cell: daysOf,
      },
      {
        ...{ key: 'state', label: text.state, width: '130px' },
        cell: (row) => stateOf(row, context),
      },
    ];
  },
  filters: () => {
    const text = newsText();
    return [
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
  noteOf: (row, context) => `${stateOf(row, context)} · ${daysOf(row)}`,
  facts: (row, context) => [
    [newsText().state, stateOf(row, context)],
    [newsText().days, daysOf(row)],
    [context.text.fields.created_at, momentText(row.created_at)],
  ],
  create: () => ({
    fields: fieldsOf(),
    values: { title: '', text: '', active: false, date_from: '', date_to: '' },
    save: async (fields) =>
      (await call(createMessage, { body: fields as never, isQuiet: isToldByForm })).id,
  }),
  edit: (row) => ({
    fields: fieldsOf(),
    values: {
      ...{ title: row.title, text: row.text, active: row.active },
      ...{ date_from: row.date_from ?? '', date_to: row.date_to ?? '' },
    },
    save: async (changed, version) => {
      const params = { messageId: row.id as never };
      return (
        await call(updateMessage, { params, body: { ...changed, version }, isQuiet: isToldByForm })
      ).id;
    },
  }),
  Parts: ({ row }) => <MessageParts key={row.id} row={row} />,
};

function MessageParts({ row }: { row: AdminMessage }) {
  const text = useNewsText();
  const params = { messageId: row.id as never };
  return (
    <>
      <DrawerPart title={text.preview}>
        <BannerBox
          title={row.title}
          text={row.text}
          image={row.media && <NewsMedia id={row.media.id} title={row.title} />}
        />
      </DrawerPart>
      <MediaPart
        media={row.media}
        set={(file) => call(setMessageMedia, { params, body: { file } })}
        remove={() => call(deleteMessageMedia, { params })}
      />
      <DeleteButton
        note={text.deleteMessage}
        section="messages"
        remove={() => call(deleteMessage, { params })}
      />
    </>
  );
}
