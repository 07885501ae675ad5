import {
  type AdminCamera,
  createCamera,
  findCamera,
  listCameras,
  MOST_DOOR,
  updateCamera,
} from '@ridewatch/contract/admin-cameras';
import { call } from '../../calls/request.ts';
import { isToldByForm } from './edit-form.tsx';
import type { FormField, Values } from './form-values.ts';
import { momentText } from './moments.ts';
import { onlyBus } from './only-bus.ts';
import { type AdminContext, findBy, listBy, type Section } from './section.ts';
import type { AdminTexts } from './texts-ru.ts';

const stateOf = ({ enabled, status }: AdminCamera, text: AdminTexts): string =>
  enabled ? text.cameraStates[status ?? 'offline'] : text.cameraStates.disabled;
const doorOf = ({ live, door }: AdminCamera, text: AdminTexts): string =>
  live ? text.kinds.service : `${door ?? '—'}`;

function fieldsOf({ text }: AdminContext): FormField[] {
  const { fields } = text;
  const isAtDoor = (values: Values) => values.live !== true;
  return [
    { key: 'name', kind: 'text', label: fields.name, isRequired: true },
    { key: 'stream_id', kind: 'text', label: fields.stream_id, isRequired: true, most: 64 },
    { key: 'live', kind: 'yes', label: fields.live },
    {
      ...{ key: 'door', kind: 'whole', label: fields.door, least: 1, most: MOST_DOOR },
      ...{ hint: text.doorHint, isShown: isAtDoor },
    },
    { key: 'counts', kind: 'yes', label: fields.counts, isShown: isAtDoor },
    { key: 'enabled', kind: 'yes', label: fields.inUse },
  ];
}

// A camera that becomes a service camera loses its door.
const withoutDoor = (changed: Readonly<Record<string, unknown>>) =>
  changed.live === true ? { ...changed, door: null, counts: false } : changed;

/** Cameras. */
export const cameras: Section<AdminCamera> = {
  name: 'cameras',
  hasSeveral: true,
  list: listBy(listCameras),
  find: findBy(findCamera, 'cameraId'),
  columns: ({ text }) => [
    {
      ...{ key: 'name', label: text.fields.name, sort: 'name', width: 'minmax(140px, 1.4fr)' },
      cell: ({ name }) => name,
    },
    {
      ...{ key: 'bus', label: text.fields.bus_id, sort: 'bus', width: 'minmax(120px, 1fr)' },
      cell: ({ bus }) => bus.name,
    },
    {
      ...{ key: 'stream', label: text.fields.stream_id, sort: 'stream_id' },
      ...{ width: 'minmax(90px, 1fr)', cell: ({ stream_id }) => stream_id },
    },
    {
      ...{ key: 'door', label: text.fields.door, sort: 'door', width: '110px' },
      cell: (row) => doorOf(row, text),
    },
    {
      ...{ key: 'counts', label: text.fields.counts, width: '130px' },
      cell: ({ counts, live }) => (counts && !live ? text.yes : text.no),
    },
    {
      ...{ key: 'status', label: text.state, sort: 'status', width: '140px' },
      cell: (row) => stateOf(row, text),
    },
  ],
  filters: ({ text }) => [
    { key: 'client', query: 'clientId', label: text.fields.client_id, kind: 'client' },
    {
      ...{ key: 'kind', query: 'kind', label: text.fields.type },
      options: (['door', 'service'] as const).map((value) => ({ value, label: text.kinds[value] })),
    },
    {
      ...{ key: 'status', query: 'status', label: text.state },
      options: (['online', 'offline', 'disabled'] as const).map((value) => ({
        value,
        label: text.cameraStates[value],
      })),
    },
  ],
  titleOf: ({ name, bus }) => `${name} · ${bus.name}`,
  noteOf: (row, { text }) => [row.stream_id, doorOf(row, text), stateOf(row, text)].join(' · '),
  facts: (row, { text }) => [
    [text.fields.bus_id, row.bus.name],
    [text.fields.stream_id, row.stream_id],
    [text.fields.door, doorOf(row, text)],
    [text.fields.counts, row.counts && !row.live ? text.yes : text.no],
    [text.state, `${stateOf(row, text)}, ${momentText(row.status_at)}`],
  ],
  proposed: onlyBus(),
  create: (context) => ({
    fields: [
      { key: 'bus_id', kind: 'bus', label: context.text.fields.bus_id, isRequired: true },
      ...fieldsOf(context),
    ],
    values: {
      ...{ bus_id: '', name: '', stream_id: '', live: false, door: '' },
      ...{ counts: false, enabled: true },
    },
    save: async (fields) => {
      const body = withoutDoor(fields) as never;
      return (await call(createCamera, { body, isQuiet: isToldByForm })).id;
    },
  }),
  edit: (row, context) => ({
    fields: fieldsOf(context),
    values: {
      ...{ name: row.name, stream_id: row.stream_id, live: row.live },
      ...{ door: `${row.door ?? ''}`, counts: row.counts, enabled: row.enabled },
    },
    save: async (changed, version) => {
      const params = { cameraId: row.id as never };
      const body = { ...withoutDoor(changed), version };
      return (await call(updateCamera, { params, body, isQuiet: isToldByForm })).id;
    },
  }),
};
