import {
  type AdminCamera,
  createCamera,
  findCamera,
  listCameras,
  MOST_DOOR,
  updateCamera,
} from '@ridewatch/contract/admin-cameras';
import { lazyComponent } from '../../core/lazy-component.tsx';
import type { Values } from './form-values.ts';
import { momentText } from './moments.ts';
import { onlyBus } from './only-bus.ts';
import { clientFilter, findBy, listBy, optionsOf, type Section, type Sent } from './section.ts';
import { formsOf } from './section-form.ts';
import type { AdminTexts } from './texts-ru.ts';

const StreamNote = lazyComponent(async () => (await import('./channel-notes.tsx')).StreamNote);

function cameraStateOf(camera: AdminCamera, { cameraStates: said }: AdminTexts): string {
  const { enabled, status, unit_silent: isSilent } = camera;
  if (!enabled) return said.disabled;
  const state = isSilent === false ? said[status ?? 'offline'] : said.unknown;
  const isNameless = camera.unit_protocol === 'jt808' && camera.channel === null;
  return isNameless ? `${state}, ${said.noChannel}` : state;
}

/** The state with the moment of its report, or why nobody knows it. */
function toldState(camera: AdminCamera, text: AdminTexts): string {
  const { silent, noUnit } = text.cameraStates;
  if (camera.enabled && camera.unit_silent !== false) {
    return camera.unit_silent === null ? noUnit : silent;
  }
  return `${cameraStateOf(camera, text)}, ${momentText(camera.status_at)}`;
}
const doorOf = ({ live, door }: AdminCamera, text: AdminTexts): string =>
  live ? text.kinds.service : `${door ?? '—'}`;

// A camera that becomes a service camera loses its door.
const withoutDoor = (sent: Sent): Sent =>
  sent.live === true ? { ...sent, door: null, counts: false } : sent;

/** Cameras. */
export const cameras: Section<AdminCamera> = {
  name: 'cameras',
  hasSeveral: true,
  list: listBy(listCameras),
  find: findBy(findCamera, 'cameraId'),
  properties: ({ text }) => {
    const { fields } = text;
    return [
      {
        ...{ key: 'name', label: fields.name, sort: 'name', width: 'minmax(140px, 1.4fr)' },
        ...{ value: ({ name }) => name, inDrawer: 'none' },
      },
      {
        ...{ key: 'bus', label: fields.bus_id, sort: 'bus', width: 'minmax(120px, 1fr)' },
        value: ({ bus }) => bus.name,
      },
      {
        ...{
          key: 'stream',
          label: fields.stream_id,
          sort: 'stream_id',
          width: 'minmax(90px, 1fr)',
        },
        value: ({ stream_id }) => stream_id,
      },
      {
        ...{ key: 'door', label: fields.door, sort: 'door', width: '110px' },
        value: (row) => doorOf(row, text),
      },
      {
        ...{ key: 'counts', label: fields.counts, width: '130px' },
        value: ({ counts, live }) => (counts && !live ? text.yes : text.no),
      },
      {
        ...{ key: 'status', label: text.state, sort: 'status', width: '140px' },
        value: (row) => cameraStateOf(row, text),
        inDrawer: (row) => toldState(row, text),
      },
    ];
  },
  filters: (context) => {
    const { text } = context;
    return [
      clientFilter(context),
      {
        ...{ key: 'kind', query: 'kind', label: text.fields.type },
        options: optionsOf(['door', 'service'], text.kinds),
      },
      {
        ...{ key: 'status', query: 'status', label: text.state },
        options: optionsOf(['online', 'offline', 'unknown', 'disabled'], text.cameraStates),
      },
    ];
  },
  titleOf: ({ name, bus }) => `${name} · ${bus.name}`,
  noteOf: (row, { text }) =>
    [row.stream_id, doorOf(row, text), cameraStateOf(row, text)].join(' · '),
  proposed: onlyBus(),
  ...formsOf({
    create: { by: createCamera, idOf: ({ id }) => id },
    change: { by: updateCamera, params: ({ id }: AdminCamera) => ({ cameraId: id }) },
    complete: withoutDoor,
    explain: async ({ current }) => (await import('./channel-refusal.ts')).channelProblem(current),
    fields: ({ text }, row) => {
      const { fields } = text;
      const isAtDoor = (values: Values) => values.live !== 'true';
      return [
        { key: 'bus_id', kind: 'bus', label: fields.bus_id, isRequired: true, only: 'new' },
        { key: 'name', kind: 'text', label: fields.name, isRequired: true },
        {
          ...{
            key: 'stream_id',
            kind: 'text',
            label: fields.stream_id,
            isRequired: true,
            most: 64,
          },
          note: (_, { bus_id: chosen }) => {
            const busId = row?.bus.id ?? Number(chosen);
            return busId > 0 && <StreamNote busId={busId} protocol={row?.unit_protocol} />;
          },
        },
        {
          ...{ key: 'live', kind: 'choice', label: fields.type, initial: 'false' },
          options: [
            { value: 'false', label: text.kinds.door },
            { value: 'true', label: text.kinds.service },
          ],
          ...{ stored: ({ live }) => `${live}`, wire: (value) => value === 'true' },
        },
        {
          ...{ key: 'door', kind: 'whole', label: fields.door, least: 1, most: MOST_DOOR },
          ...{ hint: text.doorHint, isShown: isAtDoor },
        },
        { key: 'counts', kind: 'yes', label: fields.counts, isShown: isAtDoor },
        { key: 'enabled', kind: 'yes', label: fields.inUse, initial: true },
      ];
    },
  }),
};
