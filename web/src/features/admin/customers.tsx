import {
  type AdminCustomer,
  createCustomer,
  findCustomer,
  listCustomers,
  updateCustomer,
} from '@ridewatch/contract/admin-customers';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { formatNumber, fullName } from '../../i18n/format.ts';
import { momentText } from './moments.ts';
import { type AdminContext, clientOptions, findBy, listBy, type Section } from './section.ts';
import { formsOf, idsOf } from './section-form.ts';

const RetentionPart = lazyComponent(
  async () => (await import('./retention-part.tsx')).RetentionPart,
);

const namesOf = ({ integrators }: AdminCustomer): string | null =>
  integrators.map(({ name }) => name).join(', ') || null;
const statusOf = ({ status }: AdminCustomer, { text }: AdminContext): string =>
  text.statuses[`${status}` as keyof typeof text.statuses];
const statusOptions = ({ text }: AdminContext) =>
  Object.entries(text.statuses).map(([value, label]) => ({ value, label }));

/** Customers. */
export const customers: Section<AdminCustomer> = {
  name: 'customers',
  hasSeveral: true,
  list: listBy(listCustomers),
  find: findBy(findCustomer, 'id'),
  properties: (context) => {
    const { fields, yes, no } = context.text;
    const count = { width: '110px', isNumber: true } as const;
    return [
      {
        ...{ key: 'name', label: fields.name, sort: 'name', width: 'minmax(160px, 2fr)' },
        ...{ value: fullName, inDrawer: 'none' },
      },
      // A company has none.
      ...(['surname', 'patronymic'] as const).map((key) => ({
        ...{ key, label: fields[key], value: (row: AdminCustomer) => row[key] },
        inDrawer: (row: AdminCustomer) => row[key] ?? undefined,
      })),
      {
        ...{ key: 'status', label: fields.status, sort: 'status', width: '120px' },
        value: (row) => statusOf(row, context),
      },
      { key: 'enabled', label: fields.enabled, value: ({ enabled }) => (enabled ? yes : no) },
      {
        ...{ key: 'integrators', label: fields.integrator_ids, value: namesOf },
        width: 'minmax(120px, 1.4fr)',
      },
      {
        ...{ key: 'buses', label: fields.buses, sort: 'buses', ...count },
        value: ({ buses }) => formatNumber(buses),
      },
      {
        ...{ key: 'users', label: fields.users, sort: 'users', ...count },
        value: ({ users }) => formatNumber(users),
      },
      {
        ...{ key: 'created_at', label: fields.created_at },
        value: (row) => momentText(row.created_at),
      },
    ];
  },
  filters: (context) => {
    const { status, integrator: label } = context.text.fields;
    return [
      { key: 'status', query: 'status', label: status, options: statusOptions(context) },
      { key: 'client', query: 'integratorId', label, kind: 'client' },
    ];
  },
  titleOf: fullName,
  noteOf: (row, context) =>
    `${statusOf(row, context)} · ${context.text.fields.buses}: ${formatNumber(row.buses)}`,
  ...formsOf({
    create: { by: createCustomer, idOf: ({ id }) => id },
    change: { by: updateCustomer, params: ({ id }: AdminCustomer) => ({ id }) },
    fields: (context) => {
      const { fields, person, clientName } = context.text;
      return [
        { key: 'name', kind: 'text', label: fields.name, isRequired: true, hint: clientName },
        {
          ...{ key: 'status', kind: 'choice', label: fields.status, wire: Number, initial: '1' },
          options: statusOptions(context),
        },
        { key: 'enabled', kind: 'yes', label: fields.enabled, initial: true },
        {
          ...{ key: 'integrator_ids', kind: 'many', label: fields.integrator_ids },
          ...{ options: clientOptions(context), stored: (row) => idsOf(row.integrators) },
        },
        { key: 'surname', kind: 'text', label: fields.surname, group: person },
        { key: 'patronymic', kind: 'text', label: fields.patronymic, group: person },
      ];
    },
  }),
  Parts: ({ row, context }) => <RetentionPart id={row.id} context={context} />,
};
