import * as z from 'zod/mini';
import { Credential, Role, Tokens } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { Named, pageFields, pageOf } from './paging.ts';
import { Id, IdText, Moment, Text } from './primitives.ts';
import { changeOf } from './row-change.ts';

export const AdminUser = z.object({
  id: Id,
  login: z.string(),
  role: Role,
  /** The customer whose data the user works with; null for administrators. */
  client: z.nullable(Named),
  enabled: z.boolean(),
  /** Gives a CUSTOMER the edit right; the other roles have it anyway. */
  can_edit: z.boolean(),
  /** When the user last used a session; null: never. */
  last_used_at: z.nullable(Moment),
  created_at: Moment,
  /** Whether sign-in asks for a code beside the password. */
  second_factor: z.boolean(),
  /** Whether the user is linked to an identity at the provider of OpenID Connect. */
  openid: z.boolean(),
});
export type AdminUser = z.infer<typeof AdminUser>;

const UserFields = {
  role: Role,
  client_id: z.nullable(Id),
  enabled: z.boolean(),
  can_edit: z.boolean(),
};

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  summary: 'Users that an administrator or integrator looks after, a page at a time',
  access: 'user',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(z.enum(['login', 'role', 'client', 'last_used_at', 'created_at'])),
    role: z.optional(Role),
    clientId: z.optional(IdText),
  }),
  response: pageOf(AdminUser),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

const params = z.object({ userId: IdText });

export const findUser = endpoint({
  method: 'GET',
  path: '/api/admin/users/{userId}',
  summary: 'A user',
  access: 'user',
  params,
  response: AdminUser,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

/** Whether a login can be confused with another one: it holds invisible, control or direction characters. */
const isConfusing = (login: string): boolean =>
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|[^\S ]|^ | $/u.test(login);

/** A new login. Logins of earlier versions may hold what it refuses, and go on working. */
export const Login = Text.check(
  z.refine(
    (login) => !isConfusing(login),
    'must have no invisible or control characters, and no spaces at its ends',
  ),
);

export const createUser = endpoint({
  method: 'POST',
  path: '/api/admin/users',
  summary: 'Creates a user with a first password',
  access: 'user',
  body: z.object({
    login: Login,
    password: Credential,
    role: Role,
    client_id: z.nullable(Id),
    can_edit: z.optional(z.boolean()),
  }),
  response: AdminUser,
  errors: [
    'unauthorized',
    'invalid_request',
    'weak_password',
    'no_right',
    'not_found',
    'conflict',
    'unavailable',
  ],
});

export const updateUser = endpoint({
  method: 'PUT',
  path: '/api/admin/users/{userId}',
  summary: 'Changes a user; another role or customer, and disabling, end its sessions',
  access: 'user',
  params,
  body: changeOf(UserFields),
  response: AdminUser,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

/** How long a view as another user lasts, minutes. */
export const VIEW_MINUTES = 60;

export const viewAsUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/{userId}/view',
  summary: `Opens a read-only session that sees what a user sees, for ${VIEW_MINUTES} minutes; it ends with the session that opened it`,
  access: 'admin',
  params,
  response: Tokens,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});
