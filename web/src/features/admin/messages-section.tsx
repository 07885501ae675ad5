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
import { MediaPart } from './media-part.tsx';
import { momentText } from './moments.ts';
import { callOfRow } from './row-calls.ts';
import { type AdminContext, findBy, listBy, optionsOf, type Section } from './section.ts';
import { formsOf } from './section-form.ts';
import { newsText, useNewsText } from './use-news-text.ts';

/** Longest text of a banner, characters. */
const MOST_TEXT = 2000;

function bannerStateOf(
  { active, date_from, date_to }: AdminMessage,
  { today }: AdminContext,
): string {
  const { showing, over } = newsText();
  if (!active) return showing.message.hidden;
  if (date_from !== null && date_from > today) return showing.message.later;
  return date_to !== null && date_to < today ? over : showing.message.shown;
}

function daysOf({ date_from, date_to }: AdminMessage): string {
  if (date_from === null && date_to === null) return newsText().always;
  return `${date_from === null ? '…' : formatDay(date_from)} – ${date_to === null ? '…' : formatDay(date_to)}`;
}

/** Banners above the bus list. */
export const messagesSection: Section<AdminMessage> = {
  name: 'messages',
  list: listBy(listAdminMessages),
  find: findBy(findAdminMessage, 'messageId'),
  properties: (context) => {
    const text = newsText();
    return [
      {
        ...{ key: 'title', label: text.title, sort: 'title', width: 'minmax(160px, 2fr)' },
        ...{ value: ({ title }) => title, inDrawer: 'none' },
      },
      {
        ...{ key: 'text', label: text.text, width: 'minmax(160px, 3fr)' },
        ...{ value: (row) => row.text, inDrawer: 'none' },
      },
      {
        ...{ key: 'days', label: text.days, sort: 'date_from', width: '200px', value: daysOf },
      },
      {
        ...{ key: 'state', label: text.state, width: '130px' },
        value: (row) => bannerStateOf(row, context),
      },
      {
        ...{ key: 'created_at', label: context.text.fields.created_at },
        value: ({ created_at }) => momentText(created_at),
      },
    ];
  },
  filters: () => {
    const { state: label, states } = newsText();
    const options = optionsOf(['true', 'false'], states);
    return [{ key: 'state', query: 'active', label, options }];
  },
  titleOf: ({ title }) => title,
  noteOf: (row, context) => `${bannerStateOf(row, context)} · ${daysOf(row)}`,
  ...formsOf({
    create: { by: createMessage, idOf: ({ id }) => id },
    change: { by: updateMessage, params: ({ id }: AdminMessage) => ({ messageId: id }) },
    fields: () => {
      const text = newsText();
      return [
        { key: 'title', kind: 'text', label: text.title, isRequired: true },
        { key: 'text', kind: 'area', label: text.text, isRequired: true, most: MOST_TEXT },
        { key: 'active', kind: 'yes', label: text.active },
        { key: 'date_from', kind: 'day', label: text.from, noDay: text.noDay },
        { key: 'date_to', kind: 'day', label: text.to, noDay: text.noDay },
      ];
    },
  }),
  Actions: DeleteOne,
  Parts: ({ row }) => <MessageParts key={row.id} row={row} />,
};

function MessageParts({ row }: { row: AdminMessage }) {
  const text = useNewsText();
  const params = { messageId: row.id };
  return (
    <>
      <DrawerPart title={text.preview}>
        <BannerBox
          role="note"
          title={row.title}
          text={row.text}
          image={row.media && <NewsMedia id={row.media.id} title={row.title} />}
        />
      </DrawerPart>
      <MediaPart
        media={row.media}
        set={(file, signal) =>
          callOfRow((isQuiet) => call(setMessageMedia, { params, body: { file }, isQuiet, signal }))
        }
        remove={() => callOfRow((isQuiet) => call(deleteMessageMedia, { params, isQuiet }))}
      />
    </>
  );
}

function DeleteOne({ row }: { row: AdminMessage }) {
  const params = { messageId: row.id };
  return (
    <DeleteButton
      note={useNewsText().deleteMessage}
      section="messages"
      remove={() => callOfRow((isQuiet) => call(deleteMessage, { params, isQuiet }))}
    />
  );
}
