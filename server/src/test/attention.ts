import type { setAttentionSettings } from '@ridewatch/contract/attention';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import { sql } from 'kysely';
import type { OwnCause } from '../attention/find-causes.ts';
import { watchAttention } from '../attention/watch-job.ts';
import type { TestServer } from './test-deps.ts';

/** Settings of messages as a user sends them: the defaults, no quiet hours, no address. */
export function attentionSettings(
  more: Partial<BodyOf<typeof setAttentionSettings>> = {},
): BodyOf<typeof setAttentionSettings> {
  return {
    ...{ silent_minutes: 10, camera_minutes: 60, imbalance_percent: 10 },
    sent_kinds: ['silent_bus', 'camera_offline', 'imbalance', 'merge_failed'],
    quiet_hours: null,
    timezone: 'Europe/Moscow',
    webhook_url: null,
    mail_to: [],
    language: 'ru_RU',
    new_secret: false,
    ...more,
  };
}

/** Calls that name no object: news are for everybody, causes and notifications are the user's own. */
export const callsOfNews = [
  'GET /api/attention',
  'GET /api/news/messages',
  'POST /api/news/messages/{messageId}/close',
  'GET /api/news/search',
  'POST /api/news/{newsId}/read',
  'GET /api/media-storage/media/{mediaId}',
  'GET /api/notifications',
  'POST /api/notifications/read',
];

/** Looks for causes, as the job does each minute, on a server that has looked every minute for long. */
export async function lookForCauses(
  { deps, clock }: TestServer,
  own: readonly OwnCause[] = [],
): Promise<void> {
  const { db } = deps.database;
  const nowMs = clock.nowMs();
  await sql`insert into attention_watch (since, looked_at) values (${new Date(0)}, ${new Date(nowMs)})
    on conflict (only_row) do update set looked_at = excluded.looked_at`.execute(db);
  await watchAttention(db, own, nowMs, deps.config.smtpUrl !== undefined);
}

/** Lists what a user sees that needs attention. */
export async function causesOf({ app }: TestServer, token: string) {
  const answer = await app.inject({
    url: '/api/attention',
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json();
}
