import { hash } from '@node-rs/argon2';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { StartError } from '../core/errors.ts';
import type { Deps } from '../deps.ts';
import { demoBanners, demoNews } from './texts.ts';

/** The password of every demo login; nothing else has a default one. */
export const DEMO_PASSWORD = 'demo';
/** Key of the advisory lock: processes that start together take turns. Any constant will do. */
const DEMO_LOCK = 7_236_520;
const DAY_MS = 86_400_000;

const clients = [
  { id: 10, name: 'Автоматика', surname: 'Интегратор' },
  { id: 20, name: 'Иван', surname: 'Петров' },
  { id: 21, name: 'Анна', surname: 'Соколова' },
  { id: 22, name: 'ООО «Затон-Транс»', surname: null },
];

const users = [
  { id: 1, login: 'admin', role: 'ADMIN', client_id: null, can_edit: true },
  { id: 10, login: 'integrator', role: 'INTEGRATOR', client_id: 10, can_edit: true },
  { id: 11, login: 'operator', role: 'OPERATOR', client_id: 10, can_edit: true },
  { id: 20, login: 'owner1', role: 'CUSTOMER', client_id: 20, can_edit: true },
  { id: 21, login: 'owner2', role: 'CUSTOMER', client_id: 21, can_edit: false },
  { id: 22, login: 'owner3', role: 'CUSTOMER', client_id: 22, can_edit: false },
] as const;

/**
 * Creates the demo's customers, logins and texts in an empty database, and keeps demo and real data apart. Idempotent.
 * @throws Error with a sentence when a demo is started on other data, or the other way round
 */
export async function prepareDemo({
  config,
  database,
  clock,
  log,
}: Pick<Deps, 'config' | 'database' | 'clock' | 'log'>): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${DEMO_LOCK}::bigint)`.execute(tx);
    const installation = await tx.selectFrom('installation').select('demo').executeTakeFirst();
    if (!config.demo) {
      if (installation?.demo === true) {
        throw new StartError(
          'The demo created this database, and its passwords are public. Start it with the demo (npm start), or set DATA_DIR or DATABASE_URL to another one.',
        );
      }
      return;
    }
    if (installation?.demo === true) return;
    if (installation !== undefined || (await hasData(tx))) {
      throw new StartError(
        'This database has data that the demo did not create. Start it without the demo (npm start -- --no-demo), or set DATA_DIR or DATABASE_URL to an empty one.',
      );
    }
    await insertDemo(tx, clock.nowMs());
    log.info({ logins: users.map(({ login }) => login) }, 'demo prepared');
  });
}

async function hasData(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from users) or exists (select from clients)
      or exists (select from workplaces) or exists (select from units) as found`.execute(db);
  return rows[0]?.found ?? false;
}

async function insertDemo(tx: Db, nowMs: number): Promise<void> {
  const created_at = new Date(nowMs);
  await tx.insertInto('installation').values({ demo: true, created_at }).execute();
  await tx
    .insertInto('clients')
    .values(clients.map((client) => ({ ...client, created_at })))
    .execute();
  await tx
    .insertInto('integrator_clients')
    .values([
      { integrator_id: 10, client_id: 20 },
      { integrator_id: 10, client_id: 21 },
    ])
    .execute();
  const rows = [];
  for (const user of users) {
    rows.push({ ...user, created_at, password_hash: await hash(DEMO_PASSWORD) });
  }
  await tx.insertInto('users').values(rows).execute();
  await sql`select setval('account_ids', greatest(
    (select max(id) from users), (select max(id) from clients)))`.execute(tx);
  await tx
    .insertInto('news')
    .values(
      demoNews.map(({ type, title, text, daysAgo }) => ({
        type,
        title,
        text,
        created_at: new Date(nowMs - daysAgo * DAY_MS),
        date_from: new Date(nowMs - daysAgo * DAY_MS),
      })),
    )
    .execute();
  await tx
    .insertInto('messages')
    .values(demoBanners.map((banner) => ({ ...banner, created_at })))
    .execute();
}
