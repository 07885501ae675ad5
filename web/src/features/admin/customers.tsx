import {
  type AdminCustomer,
  createCustomer,
  findCustomer,
  listCustomers,
  updateCustomer,
} from '@ridewatch/contract/admin-customers';
import { findRetention, setRetention } from '@ridewatch/contract/retention';
import { useEndpoint } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import { formatNumber } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { DrawerPart } from './drawer-part.tsx';
import { EditForm, isToldByForm } from './edit-form.tsx';
import type { FormField, Values } from './form-values.ts';
import { momentText } from './moments.ts';
import { type AdminContext, findBy, listBy, type RowForm, type Section } from './section.ts';
import { useAdminText } from './use-admin-text.ts';

const namesOf = ({ integrators }: AdminCustomer): string =>
  integrators.map(({ name }) => name).join(', ') || '—';
const statusOf = ({ status }: AdminCustomer, { text }: AdminContext): string =>
  text.statuses[`${status}` as keyof typeof text.statuses];

function fieldsOf({ text, clients }: AdminContext): FormField[] {
  const { fields, statuses } = text;
  return [
    { key: 'name', kind: 'text', label: fields.name, isRequired: true },
    { key: 'surname', kind: 'text', label: fields.surname },
    { key: 'patronymic', kind: 'text', label: fields.patronymic },
    {
      ...{ key: 'status', kind: 'choice', label: fields.status, wire: Number },
      options: Object.entries(statuses).map(([value, label]) => ({ value, label })),
    },
    { key: 'enabled', kind: 'yes', label: fields.enabled },
    {
      ...{ key: 'integrator_ids', kind: 'many', label: fields.integrator_ids },
      options: clients.map(({ id, name }) => ({ value: `${id}`, label: name })),
    },
  ];
}

const form = (context: AdminContext, values: Values, save: RowForm['save']): RowForm => ({
  fields: fieldsOf(context),
  values,
  save,
});

const nameOf = ({ name, surname }: AdminCustomer): string =>
  [name, surname].filter(Boolean).join(' ');

/** Customers. */
export const customers: Section<AdminCustomer> = {
  name: 'customers',
  list: listBy(listCustomers),
  find: findBy(findCustomer, 'id'),
  columns: ({ text, ...context }) => [
    {
      ...{ key: 'name', label: text.fields.name, sort: 'name', width: 'minmax(160px, 2fr)' },
      cell: nameOf,
    },
    {
      ...{ key: 'status', label: text.fields.status, sort: 'status', width: '120px' },
      cell: (row) => statusOf(row, { text, ...context }),
    },
    {
      ...{ key: 'integrators', label: text.fields.integrator_ids, width: 'minmax(120px, 1fr)' },
      cell: namesOf,
    },
    {
      ...{ key: 'buses', label: text.fields.buses, sort: 'buses', width: '100px', isNumber: true },
      cell: ({ buses }) => formatNumber(buses),
    },
    {
      ...{ key: 'users', label: text.fields.users, sort: 'users', width: '120px', isNumber: true },
      cell: ({ users }) => formatNumber(users),
    },
  ],
  filters: ({ text }) => [
    {
      ...{ key: 'status', query: 'status', label: text.fields.status },
      options: Object.entries(text.statuses).map(([value, label]) => ({ value, label })),
    },
    { key: 'client', query: 'integratorId', label: text.fields.integrator_ids, kind: 'client' },
  ],
  titleOf: nameOf,
  noteOf: (row, context) =>
    `${statusOf(row, context)} · ${context.text.fields.buses}: ${formatNumber(row.buses)}`,
  facts: (row, context) => {
    const { fields, yes, no } = context.text;
    return [
      [fields.surname, row.surname],
      [fields.patronymic, row.patronymic],
      [fields.status, statusOf(row, context)],
      [fields.enabled, row.enabled ? yes : no],
      [fields.integrator_ids, namesOf(row)],
      [fields.buses, formatNumber(row.buses)],
      [fields.users, formatNumber(row.users)],
      [fields.created_at, momentText(row.created_at)],
    ];
  },
  create: (context) =>
    form(
      context,
      { name: '', surname: '', patronymic: '', status: '1', enabled: true, integrator_ids: [] },
      async (fields) => {
        const body = fields as { name: string };
        return (await call(createCustomer, { body, isQuiet: isToldByForm })).id;
      },
    ),
  edit: (row, context) =>
    form(
      context,
      {
        ...{ name: row.name, surname: row.surname ?? '', patronymic: row.patronymic ?? '' },
        ...{ status: `${row.status}`, enabled: row.enabled },
        integrator_ids: row.integrators.map(({ id }) => id).sort((a, b) => a - b),
      },
      async (changed, version) => {
        const input = { params: { id: `${row.id}` as never }, isQuiet: isToldByForm };
        return (await call(updateCustomer, { ...input, body: { ...changed, version } })).id;
      },
    ),
  Parts: ({ row, context }) => <RetentionPart id={row.id} context={context} />,
};

/** Most days of retention. */
const MOST_DAYS = 36_500;

function RetentionPart({ id, context }: { id: number; context: AdminContext }) {
  const { retention } = useAdminText();
  const { save } = useText().common;
  const params = { clientId: id as never };
  const answer = useEndpoint(findRetention, { params });
  const stored = answer.data;
  if (stored === undefined) return <FailedRead answer={answer} what={retention.title} />;
  const keys = ['video_days', 'files_days', 'positions_days'] as const;
  const shown = JSON.stringify(keys.map((key) => stored[key]));
  return (
    <DrawerPart title={retention.title}>
      <EditForm
        key={shown}
        form={{
          fields: keys.map((key) => ({
            ...{ key, kind: 'whole', label: retention[key], least: 1, most: MOST_DAYS },
            hint: retention.hint(stored.defaults[key]),
          })),
          values: Object.fromEntries(keys.map((key) => [key, `${stored[key] ?? ''}`])),
          save: async (changed) => {
            await call(setRetention, { params, body: changed, isQuiet: isToldByForm });
            return id;
          },
        }}
        version={0}
        today={context.today}
        label={save}
        onSaved={() => undefined}
      />
    </DrawerPart>
  );
}
