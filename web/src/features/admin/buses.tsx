import {
  type AdminBus,
  createBus,
  findAdminBus,
  listAdminBuses,
  MOST_PLACES,
  updateBus,
} from '@ridewatch/contract/admin-buses';
import type { Named } from '@ridewatch/contract/paging';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { formatDay } from '../../i18n/format.ts';
import { BusLink, CameraDots } from './bus-link.tsx';
import { BusParts, RetireBus } from './bus-parts.tsx';
import { zoneOptions } from './bus-settings.tsx';
import type { FormValue } from './form-values.ts';
import { momentText } from './moments.ts';
import {
  type AdminContext,
  clientFilter,
  clientOptions,
  findBy,
  listBy,
  optionsOf,
  type Property,
  type Section,
} from './section.ts';
import { formsOf, idsOf } from './section-form.ts';
import type { AdminTexts } from './texts-ru.ts';

const namesOf = (clients: readonly Named[]): string => clients.map(({ name }) => name).join(', ');

// On the day on which it passes to others, the day is still that of the former ones.
function clientsOf({ clients, passes }: AdminBus, text: AdminTexts): string | null {
  const present = namesOf(clients);
  if (passes === null) return present || null;
  return text.passes(namesOf(passes.until_then), formatDay(passes.from), present);
}

/** Nobody has told how many of the places are seats; they are all stored as standing ones. */
const isUndivided = ({ capacity_seated: seated, capacity_standing: standing }: AdminBus) =>
  seated === null && standing !== null;

function capacityText({ capacity_seated: seated, capacity_standing: standing }: AdminBus) {
  return seated === null && standing === null ? null : `${(seated ?? 0) + (standing ?? 0)}`;
}

const JsonField = lazyComponent(async () => (await import('./json-field.tsx')).JsonField);
const MoveNote = lazyComponent(async () => (await import('./bus-owners.tsx')).MoveNote);

const moveNoteOf =
  (bus: AdminBus, { clients }: AdminContext) =>
  (wanted: FormValue) => (
    <MoveNote {...{ bus, clients }} wanted={Array.isArray(wanted) ? wanted : []} />
  );

function propertiesOf({ text }: AdminContext): readonly Property<AdminBus>[] {
  const { fields } = text;
  const inTable = { inDrawer: 'none' } as const;
  const clientsText = (row: AdminBus) => clientsOf(row, text);
  const yesNo = (isOn: boolean) => (isOn ? text.yes : text.no);
  const link = { label: fields.link, value: (row: AdminBus) => <BusLink {...row} /> };
  return [
    {
      ...{ key: 'name', label: fields.name, sort: 'name', width: 'minmax(110px, 1.2fr)' },
      ...{ value: ({ name }) => name, ...inTable },
    },
    { key: 'state', ...link },
    {
      ...{ key: 'client', label: fields.client_id, sort: 'client', ...inTable },
      ...{ width: 'minmax(110px, 1.4fr)', value: clientsText },
    },
    { key: 'client_ids', label: fields.client_ids, value: clientsText },
    {
      ...{ key: 'group', label: fields.group_id, sort: 'group', ...inTable },
      ...{ width: 'minmax(70px, 1fr)', value: ({ group }) => group?.name ?? null },
    },
    {
      ...{ key: 'places', label: fields.places, sort: 'places', width: '56px', isNumber: true },
      value: capacityText,
      inDrawer: (row) => (isUndivided(row) ? text.undivided(capacityText(row) ?? '') : undefined),
    },
    {
      ...{ key: 'unit', label: fields.unit, sort: 'device', width: 'minmax(90px, 1fr)' },
      ...{ value: ({ unit }) => unit?.device_id ?? null, ...inTable },
    },
    {
      ...{ key: 'link', sort: 'last_seen_at', width: 'minmax(160px, 1.2fr)' },
      ...{ ...link, ...inTable },
    },
    {
      ...{ key: 'cameras', label: fields.cameras, width: '80px', ...inTable },
      value: (row) => <CameraDots {...row} />,
    },
    { key: 'description', label: fields.description, value: ({ description }) => description },
    { key: 'type', label: fields.type, value: ({ type }) => text.busTypes[type] },
    ...(['capacity_seated', 'capacity_standing'] as const).map((key) => ({
      ...{ key, label: fields[key], value: (row: AdminBus) => row[key] },
      inDrawer: (row: AdminBus) => (isUndivided(row) ? undefined : row[key]),
    })),
    ...(['gps_trackable', 'count_passengers_inside', 'bus_calculation'] as const).map((key) => ({
      ...{ key, label: fields[key], value: (row: AdminBus) => yesNo(row[key]) },
    })),
    {
      ...{ key: 'created_at', label: fields.created_at },
      value: (row) => momentText(row.created_at),
    },
  ];
}

/** Buses. */
export const buses: Section<AdminBus> = {
  name: 'buses',
  hasSeveral: true,
  list: listBy(listAdminBuses),
  find: findBy(findAdminBus, 'busId'),
  properties: propertiesOf,
  filters: (context) => {
    const { text } = context;
    return [
      clientFilter(context),
      { key: 'route', query: 'groupId', label: text.fields.group_id, kind: 'route' },
      {
        ...{ key: 'state', query: 'state', label: text.state },
        options: optionsOf(['moving', 'standing', 'silent', 'off', 'none'], text.states),
      },
      {
        ...{ key: 'retired', query: 'retired', label: text.inFleet, any: text.inFleet },
        options: [{ value: 'true', label: text.retired }],
      },
    ];
  },
  titleOf: ({ name }) => name,
  noteOf: (row, { text }) =>
    [clientsOf(row, text), row.group?.name, row.unit?.device_id].filter(Boolean).join(' · '),
  ...formsOf({
    create: { by: createBus, idOf: ({ id }) => id },
    change: { by: updateBus, params: ({ id }: AdminBus) => ({ busId: id }) },
    fields: (context, row) => {
      const { fields, busTypes } = context.text;
      const places = { kind: 'whole', least: 0, most: MOST_PLACES } as const;
      const yes = { kind: 'yes', initial: true } as const;
      return [
        { key: 'name', kind: 'text', label: fields.name, isRequired: true },
        { key: 'description', kind: 'text', label: fields.description },
        {
          ...{ key: 'client_ids', kind: 'many', label: fields.client_ids, isRequired: true },
          ...{ options: clientOptions(context), stored: ({ clients }) => idsOf(clients) },
          initial: context.clients.length === 1 ? idsOf(context.clients) : [],
          ...(row && { note: moveNoteOf(row, context) }),
        },
        {
          ...{ key: 'type', kind: 'choice', label: fields.type, initial: 'VMS' },
          options: optionsOf(['VMS', 'COUNTER'], busTypes),
        },
        { key: 'capacity_seated', label: fields.capacity_seated, ...places },
        {
          ...{ key: 'capacity_standing', label: fields.capacity_standing, ...places },
          hint: context.text.placesHint,
        },
        { key: 'gps_trackable', label: fields.gps_trackable, ...yes },
        { key: 'count_passengers_inside', label: fields.count_passengers_inside, ...yes },
        { key: 'bus_calculation', label: fields.bus_calculation, ...yes },
        {
          ...{ key: 'timezone', kind: 'pick', label: fields.timezone, isRequired: true },
          ...{ options: zoneOptions(), wire: String, initial: 'Europe/Moscow', only: 'new' },
        },
        {
          ...{
            key: 'config',
            kind: 'text',
            Control: JsonField,
            label: fields.config,
            isRequired: true,
          },
          ...{ most: 10_000, initial: '{}' },
        },
      ];
    },
  }),
  Actions: RetireBus,
  Parts: BusParts,
};
