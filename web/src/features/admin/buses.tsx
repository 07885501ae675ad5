import {
  type AdminBus,
  createBus,
  findAdminBus,
  listAdminBuses,
  MOST_PLACES,
  updateBus,
} from '@ridewatch/contract/admin-buses';
import { call } from '../../calls/request.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { BusLink, CameraDots } from './bus-link.tsx';
import { BusParts, zoneOptions } from './bus-parts.tsx';
import { isToldByForm } from './edit-form.tsx';
import type { FormField, FormValue } from './form-values.ts';
import { momentText } from './moments.ts';
import { type AdminContext, findBy, listBy, type Section } from './section.ts';

const clientsOf = ({ clients }: AdminBus): string =>
  clients.map(({ name }) => name).join(', ') || '—';

function placesOf({ capacity_seated: seated, capacity_standing: standing }: AdminBus): string {
  if (seated === null && standing === null) return '—';
  return `${(seated ?? 0) + (standing ?? 0)}`;
}

function fieldsOf({ text, clients }: AdminContext): FormField[] {
  const { fields } = text;
  const places = { kind: 'whole', least: 0, most: MOST_PLACES } as const;
  return [
    { key: 'name', kind: 'text', label: fields.name, isRequired: true },
    { key: 'description', kind: 'text', label: fields.description },
    {
      ...{ key: 'client_ids', kind: 'many', label: fields.client_ids, isRequired: true },
      options: clients.map(({ id, name }) => ({ value: `${id}`, label: name })),
    },
    {
      ...{ key: 'type', kind: 'choice', label: fields.type },
      options: (['VMS', 'COUNTER'] as const).map((value) => ({
        value,
        label: text.busTypes[value],
      })),
    },
    { key: 'capacity_seated', label: fields.capacity_seated, ...places },
    { key: 'capacity_standing', label: fields.capacity_standing, ...places },
    { key: 'gps_trackable', kind: 'yes', label: fields.gps_trackable },
    { key: 'count_passengers_inside', kind: 'yes', label: fields.count_passengers_inside },
    { key: 'bus_calculation', kind: 'yes', label: fields.bus_calculation },
    { key: 'config', kind: 'text', label: fields.config, isRequired: true, most: 10_000 },
  ];
}

const MoveNote = lazyComponent(async () => (await import('./bus-owners.tsx')).MoveNote);

const moveNoteOf =
  (bus: AdminBus, { clients }: AdminContext) =>
  (wanted: FormValue) => (
    <MoveNote {...{ bus, clients }} wanted={Array.isArray(wanted) ? wanted : []} />
  );

/** Buses. */
export const buses: Section<AdminBus> = {
  name: 'buses',
  hasSeveral: true,
  list: listBy(listAdminBuses),
  find: findBy(findAdminBus, 'busId'),
  columns: ({ text }) => [
    {
      ...{ key: 'name', label: text.fields.bus_id, sort: 'name', width: 'minmax(110px, 1.2fr)' },
      cell: ({ name }) => name,
    },
    {
      ...{
        key: 'client',
        label: text.fields.client_id,
        sort: 'client',
        width: 'minmax(110px, 1.4fr)',
      },
      cell: clientsOf,
    },
    {
      ...{ key: 'group', label: text.fields.group_id, sort: 'group', width: 'minmax(70px, 1fr)' },
      cell: ({ group }) => group?.name ?? '—',
    },
    {
      ...{
        key: 'places',
        label: text.fields.places,
        sort: 'places',
        width: '56px',
        isNumber: true,
      },
      cell: placesOf,
    },
    {
      ...{ key: 'unit', label: text.fields.unit, sort: 'device', width: 'minmax(90px, 1fr)' },
      cell: ({ unit }) => unit?.device_id ?? '—',
    },
    {
      ...{
        key: 'link',
        label: text.fields.link,
        sort: 'last_seen_at',
        width: 'minmax(160px, 1.2fr)',
      },
      cell: (row) => <BusLink {...row} />,
    },
    {
      ...{ key: 'cameras', label: text.fields.cameras, width: '80px' },
      cell: (row) => <CameraDots {...row} />,
    },
  ],
  filters: ({ text }) => [
    { key: 'client', query: 'clientId', label: text.fields.client_id, kind: 'client' },
    { key: 'route', query: 'groupId', label: text.fields.group_id, kind: 'route' },
    {
      ...{ key: 'state', query: 'state', label: text.state },
      options: (['moving', 'standing', 'silent', 'none'] as const).map((value) => ({
        value,
        label: text.states[value],
      })),
    },
    {
      ...{ key: 'retired', query: 'retired', label: text.inFleet, any: text.inFleet },
      options: [{ value: 'true', label: text.retired }],
    },
  ],
  titleOf: ({ name }) => name,
  noteOf: (row) =>
    [clientsOf(row), row.group?.name, row.unit?.device_id].filter(Boolean).join(' · '),
  facts: (row, { text }) => {
    const yesNo = (isOn: boolean) => (isOn ? text.yes : text.no);
    return [
      [text.fields.link, <BusLink key="link" {...row} />],
      [text.fields.client_ids, clientsOf(row)],
      [text.fields.description, row.description],
      [text.fields.type, text.busTypes[row.type]],
      [text.fields.capacity_seated, row.capacity_seated],
      [text.fields.capacity_standing, row.capacity_standing],
      [text.fields.gps_trackable, yesNo(row.gps_trackable)],
      [text.fields.count_passengers_inside, yesNo(row.count_passengers_inside)],
      [text.fields.bus_calculation, yesNo(row.bus_calculation)],
      [text.fields.created_at, momentText(row.created_at)],
    ];
  },
  create: (context) => ({
    fields: [
      ...fieldsOf(context),
      {
        ...{ key: 'timezone', kind: 'pick', label: context.text.fields.timezone },
        ...{ isRequired: true, options: zoneOptions(), wire: String },
      },
    ],
    values: {
      ...{ name: '', description: '', type: 'VMS', capacity_seated: '', capacity_standing: '' },
      client_ids: context.clients.length === 1 ? context.clients.map(({ id }) => id) : [],
      ...{ gps_trackable: true, count_passengers_inside: true, bus_calculation: true },
      ...{ config: '{}', timezone: 'Europe/Moscow' },
    },
    save: async (fields) =>
      (await call(createBus, { body: fields as never, isQuiet: isToldByForm })).id,
  }),
  edit: (row, context) => ({
    fields: fieldsOf(context).map((field) =>
      field.key === 'client_ids' ? { ...field, note: moveNoteOf(row, context) } : field,
    ),
    values: {
      ...{ name: row.name, description: row.description ?? '', type: row.type },
      client_ids: row.clients.map(({ id }) => id).sort((a, b) => a - b),
      capacity_seated: `${row.capacity_seated ?? ''}`,
      capacity_standing: `${row.capacity_standing ?? ''}`,
      gps_trackable: row.gps_trackable,
      count_passengers_inside: row.count_passengers_inside,
      bus_calculation: row.bus_calculation,
      config: row.config,
    },
    save: async (changed, version) => {
      const params = { busId: row.id as never };
      const body = { ...changed, version };
      return (await call(updateBus, { params, body, isQuiet: isToldByForm })).id;
    },
  }),
  Parts: BusParts,
};
