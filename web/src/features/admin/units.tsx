import {
  type AdminUnit,
  createUnit,
  findUnit,
  listUnits,
  updateUnit,
} from '@ridewatch/contract/admin-units';
import { call } from '../../calls/request.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { Ago } from '../../ui/ago.tsx';
import { isToldByForm } from './edit-form.tsx';
import type { FormField } from './form-values.ts';
import { noteSecret } from './issued-secret.ts';
import { momentText } from './moments.ts';
import { onlyBus } from './only-bus.ts';
import { type AdminContext, findBy, listBy, type Section } from './section.ts';
import type { AdminTexts } from './texts-ru.ts';

const UnitParts = lazyComponent(async () => (await import('./unit-parts.tsx')).UnitParts);

/** Up to this, the clock of a unit is right, ms (glossary: corrected time). */
const RIGHT_CLOCK_MS = 30_000;

function clockOf({ clock_offset_ms: offset }: AdminUnit, text: AdminTexts): string {
  if (offset === null) return '—';
  if (Math.abs(offset) <= RIGHT_CLOCK_MS) return text.clockRight;
  const seconds = Math.round(-offset / 1000);
  return text.clock(`${seconds > 0 ? '+' : '−'}${formatNumber(Math.abs(seconds))}`);
}

const seen = ({ last_seen_at }: AdminUnit, text: AdminTexts) =>
  last_seen_at ? <Ago moment={last_seen_at} /> : text.never;

function fieldsOf({ text, clients }: AdminContext, row?: AdminUnit): FormField[] {
  const { fields } = text;
  return [
    { key: 'device_id', kind: 'text', label: fields.device_id, isRequired: true, most: 64 },
    {
      ...{ key: 'bus_id', kind: 'bus', label: fields.bus_id },
      ...(row?.bus && { chosen: row.bus.name }),
    },
    {
      ...{ key: 'client_id', kind: 'pick', label: fields.client_id },
      options: clients.map(({ id, name }) => ({ value: `${id}`, label: name })),
      isShown: (values) => values.bus_id === '',
    },
  ];
}

/** On-board units. */
export const units: Section<AdminUnit> = {
  name: 'units',
  list: listBy(listUnits),
  find: findBy(findUnit, 'unitId'),
  columns: ({ text }) => [
    {
      ...{ key: 'device', label: text.fields.device_id, sort: 'device_id' },
      ...{ width: 'minmax(120px, 1.2fr)', cell: ({ device_id }) => device_id },
    },
    {
      ...{ key: 'bus', label: text.fields.bus_id, sort: 'bus', width: 'minmax(110px, 1fr)' },
      cell: ({ bus, test_since }) =>
        [bus?.name ?? '—', test_since !== null && text.unitStates.test].filter(Boolean).join(' · '),
    },
    {
      ...{ key: 'seen', label: text.fields.last_seen_at, sort: 'last_seen_at', width: '130px' },
      cell: (row) => seen(row, text),
    },
    {
      ...{ key: 'firmware', label: text.fields.firmware, sort: 'firmware' },
      ...{ width: 'minmax(90px, 1fr)', cell: ({ firmware }) => firmware ?? '—' },
    },
    {
      ...{ key: 'clock', label: text.fields.clock_offset_ms, sort: 'clock_offset_ms' },
      ...{ width: 'minmax(110px, 1fr)', cell: (row) => clockOf(row, text) },
    },
    {
      ...{ key: 'backlog', label: text.fields.backlog_from, sort: 'backlog_from' },
      width: 'minmax(130px, 1fr)',
      cell: ({ backlog_from }) =>
        backlog_from === null ? text.backlogNone : text.backlogFrom(momentText(backlog_from)),
    },
  ],
  filters: ({ text }) => [
    { key: 'client', query: 'clientId', label: text.fields.client_id, kind: 'client' },
    {
      ...{ key: 'state', query: 'state', label: text.state },
      options: (['sending', 'silent', 'spare', 'disabled', 'test'] as const).map((value) => ({
        value,
        label: text.unitStates[value],
      })),
    },
  ],
  titleOf: ({ device_id }) => device_id,
  noteOf: (row, { text }) => (
    <>
      {row.bus?.name ?? text.unitStates.spare} · {seen(row, text)}
    </>
  ),
  facts: (row, { text }) => [
    [text.fields.bus_id, row.bus?.name ?? null],
    ...(row.bus === null ? [[text.fields.client_id, row.client?.name ?? null] as const] : []),
    [text.fields.enabled, row.enabled ? text.yes : text.no],
    [text.fields.last_seen_at, seen(row, text)],
    [text.fields.firmware, row.firmware],
    [text.fields.clock_offset_ms, clockOf(row, text)],
    [
      text.fields.backlog_from,
      row.backlog_from === null ? text.backlogNone : text.backlogFrom(momentText(row.backlog_from)),
    ],
    [text.fields.created_at, momentText(row.created_at)],
  ],
  proposed: onlyBus({ state: 'none' }),
  create: (context) => ({
    fields: fieldsOf(context),
    values: {
      ...{ device_id: '', bus_id: '' },
      client_id: context.clients.length === 1 ? `${context.clients[0]?.id}` : '',
    },
    save: async (fields) => {
      const made = await call(createUnit, { body: fields as never, isQuiet: isToldByForm });
      noteSecret('units', made.unit.id, made.credential);
      return made.unit.id;
    },
  }),
  edit: (row, context) => ({
    fields: [
      ...fieldsOf(context, row),
      { key: 'enabled', kind: 'yes', label: context.text.fields.enabled },
    ],
    values: {
      ...{ device_id: row.device_id, bus_id: `${row.bus?.id ?? ''}` },
      ...{ client_id: `${row.client?.id ?? ''}`, enabled: row.enabled },
    },
    save: async (changed, version) => {
      const params = { unitId: row.id as never };
      const body = { ...changed, version };
      return (await call(updateUnit, { params, body, isQuiet: isToldByForm })).id;
    },
  }),
  Parts: ({ row }) => <UnitParts row={row} />,
};
