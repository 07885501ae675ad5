import type * as contract from '@ridewatch/contract/admin-users';
import type { BodyOf, QueryOf } from '@ridewatch/contract/endpoint';
import { type RawBuilder, sql } from 'kysely';
import {
  type Administered,
  checkMayGive,
  isVisibleUser,
  type UserRow,
} from '../access/administration.ts';
import { clientName } from '../access/client.ts';
import { nextUserId, revokeSessions } from '../auth/accounts.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { type Changed, changeObject, refuseTaken } from './change.ts';
import { contains, equals, type Page, readPage, wireOf } from './page.ts';

type User = contract.AdminUser;
type Row = Omit<User, 'created_at' | 'last_used_at'> & {
  readonly created_at: Date;
  readonly last_used_at: Date | null;
};

const columns = {
  login: sql`login collate natural_ru`,
  role: sql`role`,
  client: sql`client ->> 'name' collate natural_ru`,
  last_used_at: sql`last_used_at`,
  created_at: sql`created_at`,
} as const;

const userRows = (where: RawBuilder<boolean>) => sql`
  select users.id, login, role, users.enabled, can_edit, users.created_at,
    case when clients.id is not null
      then jsonb_build_object('id', clients.id, 'name', ${clientName}) end as client,
    (select max(last_used_at) from sessions where user_id = users.id and opened_by is null) as last_used_at,
    exists (select from second_factors
      where user_id = users.id and confirmed_at is not null) as second_factor,
    openid_subject is not null as openid
  from users left join clients on clients.id = users.client_id
  where ${where}`;

/** One page of the users that are visible, by login unless asked otherwise. */
export async function listUsers(
  db: Db,
  viewer: Viewer,
  query: QueryOf<typeof contract.listUsers>,
): Promise<Page<User>> {
  const where = sql<boolean>`${isVisibleUser(viewer)}
    and ${contains(query.search, sql`login`, clientName)}
    and ${equals(sql`role`, query.role)} and ${equals(sql`users.client_id`, query.clientId)}`;
  return readPage<Row>(db, userRows(where), query, { by: columns[query.sortBy ?? 'login'] });
}

/** A user as in answers. */
export async function readUser(db: Db, { id }: { readonly id: number }): Promise<User> {
  const { rows } = await userRows(sql`users.id = ${id}`).execute(db);
  const [row] = rows as Row[];
  if (row === undefined) throw notFound();
  return wireOf(row);
}

/**
 * Creates a user.
 * @param passwordHash of the first password; the caller has locked the customer
 * @returns its id
 * @throws AppError conflict for a taken login, no_right or not_found for what the viewer may not give
 */
export async function insertUser(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  {
    login,
    role,
    client_id: clientId,
    can_edit,
  }: Omit<BodyOf<typeof contract.createUser>, 'password'>,
  passwordHash: string,
): Promise<number> {
  await checkMayGive(tx, viewer, { role, clientId });
  await checkClient(tx, clientId);
  const newId = await nextUserId(tx, clientId);
  const { id } = await refuseTaken('login', 'Another user has this login.', () =>
    tx
      .insertInto('users')
      .values({
        id: newId,
        login,
        role,
        client_id: clientId,
        can_edit: can_edit ?? false,
        password_hash: passwordHash,
        created_at: new Date(actor.atMs),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  await insertAudit(tx, actor, {
    action: 'create_user',
    objectType: 'user',
    objectId: id,
    after: { login, role, client_id: clientId, can_edit: can_edit ?? false },
  });
  return id;
}

/** Changes a user; sessions with other rights end. @throws AppError conflict, no_right, not_found */
export async function changeUser(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  user: Administered<UserRow>,
  body: BodyOf<typeof contract.updateUser>,
): Promise<Changed<User> & { ended: string[] }> {
  const { id } = user;
  const { seen: _, client_id, ...fields } = body;
  const next = {
    role: fields.role ?? user.role,
    clientId: client_id === undefined ? user.clientId : client_id,
  };
  await checkMayGive(tx, viewer, next);
  if (id === viewer.userId && (fields.enabled === false || next.role !== user.role)) {
    const field = fields.enabled === false ? 'enabled' : 'role';
    throw new AppError('invalid_request', 'You cannot take away your own rights.', { field });
  }
  const client = await checkClient(tx, next.clientId);
  let ended: string[] = [];
  const changed = await changeObject<User>(tx, actor, {
    ...{ table: 'users', id, body, action: 'set_user' },
    asBody: ({ client: own }) => ({ client_id: own?.id ?? null }),
    read: (db) => readUser(db, { id }),
    wanted: { ...fields, client },
    write: async (__, change) => {
      const { client: other, ...own } = change;
      const set = { ...own, ...(other !== undefined && { client_id: other?.id ?? null }) };
      await tx.updateTable('users').set(set).where('id', '=', id).execute();
      const isOther = 'role' in change || 'client' in change || change.enabled === false;
      if (isOther) ended = await revokeSessions(tx, { userId: id }, 'set_user', actor.atMs);
    },
  });
  return { ...changed, ended };
}

async function checkClient(tx: Tx, clientId: number | null): Promise<User['client']> {
  if (clientId === null) return null;
  const client = await tx
    .selectFrom('clients')
    .select(['id', clientName.as('name')])
    .where('id', '=', clientId)
    .executeTakeFirst();
  if (client === undefined) throw notFound();
  return client;
}
