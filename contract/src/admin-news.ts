// News, questions and banners, as administrators write them.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { MAX_MEDIA_BYTES, NewsType } from './news.ts';
import { Named, pageFields, pageOf, YesNo } from './paging.ts';
import { Day, Id, IdText, isSeen, Moment, Text } from './primitives.ts';
import { changeOf } from './row-change.ts';

/** Longest text of a news item or banner, characters. */
export const MOST_NEWS_TEXT = 20_000;
const LongText = z
  .string()
  .check(z.minLength(1), z.maxLength(MOST_NEWS_TEXT), z.refine(isSeen, 'must not be blank'));

/** The image or another file of a news item or banner. */
export const AdminMedia = z.object({
  id: Id,
  name: z.string(),
  format: z.string(),
  bytes: z.int(),
});
export type AdminMedia = z.infer<typeof AdminMedia>;

export const AdminNews = z.object({
  id: Id,
  type: NewsType,
  title: z.string(),
  /** Plain text with line breaks and links. */
  text: z.string(),
  active: z.boolean(),
  /** Shown from this local day in Moscow on, while it is active. */
  date_from: Day,
  media: z.nullable(AdminMedia),
  /** Users who have read it. */
  readers: z.int(),
  created_at: Moment,
});
export type AdminNews = z.infer<typeof AdminNews>;

const NewsFields = {
  type: NewsType,
  title: Text,
  text: LongText,
  active: z.boolean(),
  date_from: Day,
};

export const listAdminNews = endpoint({
  method: 'GET',
  path: '/api/admin/news',
  summary: 'News and questions, shown or not, a page at a time',
  access: 'admin',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(z.enum(['title', 'type', 'date_from', 'readers'])),
    type: z.optional(NewsType),
    active: z.optional(YesNo),
  }),
  response: pageOf(AdminNews),
  errors: ['unauthorized', 'invalid_request', 'no_right'],
});

const news = z.object({ newsId: IdText });

export const findAdminNews = endpoint({
  method: 'GET',
  path: '/api/admin/news/{newsId}',
  summary: 'A news item or question',
  access: 'admin',
  params: news,
  response: AdminNews,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const NewsReader = z.object({
  /** Of the user. */
  id: Id,
  login: z.string(),
  client: z.nullable(Named),
  read_at: Moment,
});
export type NewsReader = z.infer<typeof NewsReader>;

export const listNewsReaders = endpoint({
  method: 'GET',
  path: '/api/admin/news/{newsId}/readers',
  summary: 'The users who have read a news item, the last one first, a page at a time',
  access: 'admin',
  params: news,
  query: z.object(pageFields),
  response: pageOf(NewsReader),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const createNews = endpoint({
  method: 'POST',
  path: '/api/admin/news',
  summary: 'Creates a news item or question; it is not shown unless the call says so',
  access: 'admin',
  body: z.extend(z.partial(z.object(NewsFields)), { title: Text, text: LongText }),
  response: AdminNews,
  errors: ['unauthorized', 'invalid_request', 'no_right'],
});

export const updateNews = endpoint({
  method: 'PUT',
  path: '/api/admin/news/{newsId}',
  summary: 'Changes a news item',
  access: 'admin',
  params: news,
  body: changeOf(NewsFields),
  response: AdminNews,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const deleteNews = endpoint({
  method: 'DELETE',
  path: '/api/admin/news/{newsId}',
  summary: 'Deletes a news item with its file',
  access: 'admin',
  params: news,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

const upload = {
  bodyType: 'multipart',
  // The file, and what the form adds.
  maxBodyBytes: MAX_MEDIA_BYTES + 65_536,
  body: z.object({ file: z.file() }),
  errors: [
    ...(['unauthorized', 'invalid_request', 'no_right', 'not_found', 'too_large'] as const),
    'unsupported_media_type',
  ],
} as const;

export const setNewsMedia = endpoint({
  method: 'PUT',
  path: '/api/admin/news/{newsId}/media',
  summary:
    'Gives a news item an image or another file instead of its former one; the content decides what it is',
  access: 'admin',
  params: news,
  ...upload,
  response: AdminNews,
});

export const deleteNewsMedia = endpoint({
  method: 'DELETE',
  path: '/api/admin/news/{newsId}/media',
  summary: 'Deletes the file of a news item',
  access: 'admin',
  params: news,
  response: AdminNews,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

/** Most banners that are shown, or will be, at once: every page with banners carries all of them. */
export const MOST_BANNERS = 20;

/** A banner above the bus list. */
export const AdminMessage = z.object({
  id: Id,
  title: z.string(),
  text: z.string(),
  active: z.boolean(),
  /** Local days in Moscow, both included; null: no such bound. */
  date_from: z.nullable(Day),
  date_to: z.nullable(Day),
  media: z.nullable(AdminMedia),
  created_at: Moment,
});
export type AdminMessage = z.infer<typeof AdminMessage>;

const MessageFields = {
  title: Text,
  text: z.string().check(z.minLength(1), z.maxLength(2000), z.refine(isSeen, 'must not be blank')),
  active: z.boolean(),
  date_from: z.nullable(Day),
  date_to: z.nullable(Day),
};

export const listAdminMessages = endpoint({
  method: 'GET',
  path: '/api/admin/messages',
  summary: 'The banners that administrators wrote, a page at a time',
  access: 'admin',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(z.enum(['title', 'date_from', 'date_to', 'created_at'])),
    active: z.optional(YesNo),
  }),
  response: pageOf(AdminMessage),
  errors: ['unauthorized', 'invalid_request', 'no_right'],
});

const message = z.object({ messageId: IdText });

export const findAdminMessage = endpoint({
  method: 'GET',
  path: '/api/admin/messages/{messageId}',
  summary: 'A banner',
  access: 'admin',
  params: message,
  response: AdminMessage,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const createMessage = endpoint({
  method: 'POST',
  path: '/api/admin/messages',
  summary: `Creates a banner; it is not shown unless the call says so. At most ${MOST_BANNERS} are shown`,
  access: 'admin',
  body: z.extend(z.partial(z.object(MessageFields)), {
    title: Text,
    text: MessageFields.text,
  }),
  response: AdminMessage,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'conflict'],
});

export const updateMessage = endpoint({
  method: 'PUT',
  path: '/api/admin/messages/{messageId}',
  summary: 'Changes a banner',
  access: 'admin',
  params: message,
  body: changeOf(MessageFields),
  response: AdminMessage,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/api/admin/messages/{messageId}',
  summary: 'Deletes a banner with its file',
  access: 'admin',
  params: message,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const setMessageMedia = endpoint({
  method: 'PUT',
  path: '/api/admin/messages/{messageId}/media',
  summary:
    'Gives a banner an image or another file instead of its former one; the content decides what it is',
  access: 'admin',
  params: message,
  ...upload,
  response: AdminMessage,
});

export const deleteMessageMedia = endpoint({
  method: 'DELETE',
  path: '/api/admin/messages/{messageId}/media',
  summary: 'Deletes the file of a banner',
  access: 'admin',
  params: message,
  response: AdminMessage,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
