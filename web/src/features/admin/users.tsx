import {
  type AdminUser,
  createUser,
  findUser,
  listUsers,
  updateUser,
} from '@ridewatch/contract/admin-users';
import { lazyComponent } from '../../core/lazy-component.tsx';
import type { Values } from './form-values.ts';
import { momentText } from './moments.ts';
import {
  clientFilter,
  clientOptions,
  findBy,
  listBy,
  optionsOf,
  type Section,
  type Sent,
} from './section.ts';
import { formsOf } from './section-form.ts';

const UserAccess = lazyComponent(async () => (await import('./user-access.tsx')).UserAccess);

const ROLES = ['ADMIN', 'INTEGRATOR', 'CUSTOMER', 'OPERATOR'] as const;

const isOf =
  (...roles: readonly string[]) =>
  (values: Values) =>
    roles.includes(String(values.role));

// An administrator has no customer, and its form no field for one.
const withoutClient = (sent: Sent): Sent =>
  sent.role === 'ADMIN' ? { ...sent, client_id: null } : sent;

/** Users. */
export const users: Section<AdminUser> = {
  name: 'users',
  hasSeveral: true,
  list: listBy(listUsers),
  find: findBy(findUser, 'userId'),
  properties: ({ text }) => {
    const { fields } = text;
    const yesNo = (isOn: boolean) => (isOn ? text.yes : text.no);
    return [
      {
        ...{ key: 'login', label: fields.login, sort: 'login', width: 'minmax(140px, 2fr)' },
        ...{ value: ({ login }) => login, inDrawer: 'none' },
      },
      {
        ...{ key: 'role', label: fields.role, sort: 'role', width: '140px' },
        value: ({ role }) => text.roles[role],
      },
      {
        ...{ key: 'client', label: fields.client_id, sort: 'client', width: 'minmax(140px, 2fr)' },
        value: ({ client }) => client?.name ?? null,
      },
      {
        ...{ key: 'enabled', label: fields.enabled, width: '90px' },
        value: ({ enabled }) => yesNo(enabled),
      },
      {
        ...{ key: 'can_edit', label: fields.can_edit },
        value: ({ role, can_edit }) => yesNo(role !== 'CUSTOMER' || can_edit),
      },
      {
        ...{ key: 'last', label: fields.last_used_at, sort: 'last_used_at', width: '150px' },
        value: ({ last_used_at }) => momentText(last_used_at),
      },
      {
        ...{ key: 'created_at', label: fields.created_at },
        value: ({ created_at }) => momentText(created_at),
      },
      {
        ...{ key: 'factor', label: text.access.factor },
        value: ({ second_factor }) => yesNo(second_factor),
      },
    ];
  },
  filters: (context) => {
    const { fields, roles } = context.text;
    return [
      { key: 'role', query: 'role', label: fields.role, options: optionsOf(ROLES, roles) },
      clientFilter(context),
    ];
  },
  titleOf: ({ login }) => login,
  noteOf: ({ role, client }, { text }) =>
    [text.roles[role], client?.name].filter(Boolean).join(' · '),
  ...formsOf({
    create: { by: createUser, idOf: ({ id }) => id },
    change: { by: updateUser, params: ({ id }: AdminUser) => ({ userId: id }) },
    complete: withoutClient,
    fields: (context) => {
      const { fields, roles, passwordHint: hint } = context.text;
      // An integrator gives no role that sees more than itself.
      const given = context.user.role === 'ADMIN' ? ROLES : ROLES.slice(2);
      return [
        { key: 'login', kind: 'text', label: fields.login, isRequired: true, only: 'new' },
        {
          ...{ key: 'password', kind: 'password', label: fields.password, only: 'new' },
          ...{ isRequired: true, hint },
        },
        {
          ...{ key: 'role', kind: 'choice', label: fields.role, initial: 'CUSTOMER' },
          options: optionsOf(given, roles),
        },
        {
          ...{ key: 'client_id', kind: 'pick', label: fields.client_id, isRequired: true },
          ...{ options: clientOptions(context), stored: ({ client }) => `${client?.id ?? ''}` },
          isShown: isOf('INTEGRATOR', 'CUSTOMER', 'OPERATOR'),
        },
        { key: 'can_edit', kind: 'yes', label: fields.can_edit, isShown: isOf('CUSTOMER') },
        { key: 'enabled', kind: 'yes', label: fields.enabled, only: 'stored' },
      ];
    },
  }),
  Parts: ({ row, context }) => <UserAccess key={row.id} row={row} user={context.user} />,
};
