import {
  type AdminUser,
  createUser,
  findUser,
  listUsers,
  updateUser,
} from '@ridewatch/contract/admin-users';
import { call } from '../../calls/request.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { isToldByForm } from './edit-form.tsx';
import type { FormField, Values } from './form-values.ts';
import { momentText } from './moments.ts';
import { type AdminContext, findBy, listBy, type Section } from './section.ts';

const UserAccess = lazyComponent(async () => (await import('./user-access.tsx')).UserAccess);

const ROLES = ['ADMIN', 'INTEGRATOR', 'CUSTOMER', 'OPERATOR'] as const;

function fieldsOf({ text, clients, user }: AdminContext): FormField[] {
  const { fields } = text;
  const isOf =
    (...roles: readonly string[]) =>
    (values: Values) =>
      roles.includes(String(values.role));
  // An integrator gives no role that sees more than itself.
  const roles = user.role === 'ADMIN' ? ROLES : ROLES.slice(2);
  return [
    {
      ...{ key: 'role', kind: 'choice', label: fields.role },
      options: roles.map((value) => ({ value, label: text.roles[value] })),
    },
    {
      ...{ key: 'client_id', kind: 'pick', label: fields.client_id, isRequired: true },
      options: clients.map(({ id, name }) => ({ value: `${id}`, label: name })),
      isShown: isOf('INTEGRATOR', 'CUSTOMER', 'OPERATOR'),
    },
    { key: 'can_edit', kind: 'yes', label: fields.can_edit, isShown: isOf('CUSTOMER') },
  ];
}

/** Users. */
export const users: Section<AdminUser> = {
  name: 'users',
  hasSeveral: true,
  list: listBy(listUsers),
  find: findBy(findUser, 'userId'),
  columns: ({ text }) => [
    {
      ...{ key: 'login', label: text.fields.login, sort: 'login', width: 'minmax(140px, 2fr)' },
      cell: ({ login }) => login,
    },
    {
      ...{ key: 'role', label: text.fields.role, sort: 'role', width: '140px' },
      cell: ({ role }) => text.roles[role],
    },
    {
      ...{
        key: 'client',
        label: text.fields.client_id,
        sort: 'client',
        width: 'minmax(140px, 2fr)',
      },
      cell: ({ client }) => client?.name ?? '—',
    },
    {
      ...{ key: 'enabled', label: text.fields.enabled, width: '90px' },
      cell: ({ enabled }) => (enabled ? text.yes : text.no),
    },
    {
      ...{ key: 'last', label: text.fields.last_used_at, sort: 'last_used_at', width: '150px' },
      cell: ({ last_used_at }) => momentText(last_used_at),
    },
  ],
  filters: ({ text }) => [
    {
      ...{ key: 'role', query: 'role', label: text.fields.role },
      options: ROLES.map((value) => ({ value, label: text.roles[value] })),
    },
    { key: 'client', query: 'clientId', label: text.fields.client_id, kind: 'client' },
  ],
  titleOf: ({ login }) => login,
  noteOf: ({ role, client }, { text }) =>
    [text.roles[role], client?.name].filter(Boolean).join(' · '),
  facts: (row, { text }) => [
    [text.fields.role, text.roles[row.role]],
    [text.fields.client_id, row.client?.name ?? null],
    [text.fields.enabled, row.enabled ? text.yes : text.no],
    [text.fields.can_edit, row.role !== 'CUSTOMER' || row.can_edit ? text.yes : text.no],
    [text.fields.last_used_at, momentText(row.last_used_at)],
    [text.fields.created_at, momentText(row.created_at)],
    [text.access.factor, row.second_factor ? text.yes : text.no],
  ],
  create: (context) => ({
    fields: [
      { key: 'login', kind: 'text', label: context.text.fields.login, isRequired: true },
      {
        ...{ key: 'password', kind: 'password', label: context.text.fields.password },
        ...{ isRequired: true, hint: context.text.passwordHint },
      },
      ...fieldsOf(context),
    ],
    values: { login: '', password: '', role: 'CUSTOMER', client_id: '', can_edit: false },
    save: async (fields) => {
      const body = { client_id: null, ...fields } as never;
      return (await call(createUser, { body, isQuiet: isToldByForm })).id;
    },
  }),
  edit: (row, context) => ({
    fields: [
      ...fieldsOf(context),
      { key: 'enabled', kind: 'yes', label: context.text.fields.enabled },
    ],
    values: {
      ...{ role: row.role, client_id: `${row.client?.id ?? ''}` },
      ...{ can_edit: row.can_edit, enabled: row.enabled },
    },
    save: async (changed, version) => {
      const isNowAdmin = changed.role === 'ADMIN';
      const body = { ...changed, ...(isNowAdmin && { client_id: null }), version };
      const params = { userId: row.id as never };
      return (await call(updateUser, { params, body, isQuiet: isToldByForm })).id;
    },
  }),
  Parts: ({ row }) => <UserAccess key={row.id} row={row} />,
};
