import {
  type AdminUnit,
  createUnit,
  findUnit,
  listUnits,
  updateUnit,
} from '@ridewatch/contract/admin-units';
import { protocolNames } from '@ridewatch/contract/unit-protocols';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { Ago } from '../../ui/ago.tsx';
import { noteSecret } from './issued-secret.ts';
import { momentText } from './moments.ts';
import { hasNoBusYet } from './no-bus-yet.ts';
import { onlyBus } from './only-bus.ts';
import {
  clientFilter,
  clientOptions,
  findBy,
  listBy,
  onlyClient,
  optionsOf,
  type Section,
} from './section.ts';
import { formsOf } from './section-form.ts';
import type { AdminTexts } from './texts-ru.ts';
import { protocolFields, protocolProperties } from './unit-protocol.tsx';
import { protocolText } from './use-protocol-text.ts';
import { WeakMark } from './weak-identity.tsx';

const MomentField = lazyComponent(async () => (await import('./moment-field.tsx')).MomentField);
const NamelessNote = lazyComponent(async () => (await import('./channel-notes.tsx')).NamelessNote);
const UnitMoveNote = lazyComponent(async () => (await import('./unit-move-note.tsx')).UnitMoveNote);
const UnitParts = lazyComponent(async () => (await import('./unit-parts.tsx')).UnitParts);

/** Up to this, the clock of a unit is right, ms (glossary: corrected time). */
const RIGHT_CLOCK_MS = 30_000;

function clockText({ clock_offset_ms: offset }: AdminUnit, text: AdminTexts): string {
  if (offset === null) return '—';
  if (Math.abs(offset) <= RIGHT_CLOCK_MS) return text.clockRight;
  const seconds = Math.round(-offset / 1000);
  return text.clock(`${seconds > 0 ? '+' : '−'}${formatNumber(Math.abs(seconds))}`);
}

const seen = ({ last_seen_at }: AdminUnit, text: AdminTexts) =>
  last_seen_at ? <Ago moment={last_seen_at} /> : text.never;

// The unit interface needs no word: most units speak it.
const protocolOfRow = ({ protocol, protocol_id }: AdminUnit, isBelow = false) =>
  protocol && (
    <>
      {protocolNames[protocol]} <WeakMark {...{ protocol, isBelow }} id={protocol_id ?? ''} />
    </>
  );

// Nothing is known of the records of a unit that was never heard.
// No other protocol than the unit interface tells what a unit has still to send.
function backlogOf(unit: AdminUnit, text: AdminTexts) {
  const { backlog_from: from, last_seen_at: seenAt, protocol } = unit;
  if (protocol !== null) return '—';
  if (from !== null) return text.backlogFrom(momentText(from));
  return seenAt && text.backlogNone;
}

/** On-board units. */
export const units: Section<AdminUnit> = {
  name: 'units',
  hasSeveral: true,
  list: listBy(listUnits),
  find: findBy(findUnit, 'unitId'),
  properties: ({ text }) => {
    const { fields } = text;
    const clock = { key: 'clock', label: fields.clock_offset_ms, sort: 'clock_offset_ms' };
    return [
      {
        ...{ key: 'device', label: fields.device_id, sort: 'device_id', inDrawer: 'none' },
        ...{ width: 'minmax(120px, 1.2fr)', value: ({ device_id }) => device_id },
      },
      {
        ...{ key: 'bus', label: fields.bus_id, sort: 'bus', width: 'minmax(110px, 1fr)' },
        value: ({ bus, test_since }) =>
          [bus?.name ?? '—', test_since !== null && text.unitStates.test]
            .filter(Boolean)
            .join(' · '),
        inDrawer: ({ bus }) => bus?.name ?? null,
      },
      {
        ...{ key: 'protocol', label: protocolText().fields.protocol, width: 'minmax(150px, 1fr)' },
        value: (row) => protocolOfRow(row, true),
        inDrawer: (row) => protocolOfRow(row) ?? undefined,
      },
      ...protocolProperties(),
      {
        ...{ key: 'assigned_from', label: fields.assigned_from },
        // There is nothing to tell of one that has never moved.
        value: () => null,
        inDrawer: ({ bus, assigned_from }) =>
          bus === null || assigned_from === null ? undefined : momentText(assigned_from),
      },
      {
        ...{ key: 'client', label: fields.client_id, value: ({ client }) => client?.name ?? null },
        // The customer of a unit in a bus is that of the bus.
        inDrawer: ({ bus, client }) => (bus ? undefined : (client?.name ?? null)),
      },
      {
        ...{ key: 'enabled', label: fields.enabled },
        value: ({ enabled }) => (enabled ? text.yes : text.no),
      },
      {
        ...{ key: 'seen', label: fields.last_seen_at, sort: 'last_seen_at', width: '130px' },
        value: (row) => seen(row, text),
      },
      {
        ...{ key: 'firmware', label: fields.firmware, sort: 'firmware' },
        ...{ width: 'minmax(90px, 1fr)', value: ({ firmware }) => firmware },
      },
      { ...clock, width: 'minmax(110px, 1fr)', value: (row) => clockText(row, text) },
      {
        ...{ key: 'backlog', label: fields.backlog_from, sort: 'backlog_from' },
        ...{ width: 'minmax(130px, 1fr)', value: (row) => backlogOf(row, text) },
      },
      {
        ...{ key: 'created_at', label: fields.created_at },
        value: (row) => momentText(row.created_at),
      },
    ];
  },
  filters: (context) => {
    const { state: label, unitStates } = context.text;
    const states = ['sending', 'silent', 'spare', 'disabled', 'test', 'weak_identity'] as const;
    return [
      clientFilter(context),
      { key: 'state', query: 'state', label, options: optionsOf(states, unitStates) },
    ];
  },
  titleOf: ({ device_id }) => device_id,
  noteOf: (row, { text }) => (
    <>
      {row.bus?.name ?? text.unitStates.spare} · {seen(row, text)}
      {row.protocol && ' · '}
      {protocolOfRow(row)}
    </>
  ),
  proposed: onlyBus({ state: 'none' }),
  // The first bus of an adopted unit gets all that it has sent: a person chooses it.
  isProposedTo: ({ protocol }) => protocol === null,
  ...formsOf({
    create: {
      by: createUnit,
      idOf: ({ unit, credential }) => {
        if (credential !== null) noteSecret('units', unit.id, credential);
        return unit.id;
      },
    },
    change: { by: updateUnit, params: ({ id }: AdminUnit) => ({ unitId: id }) },
    explain: async ({ current }) =>
      (await import('./unit-refusal.ts')).placeProblem(current) ??
      (await import('./channel-refusal.ts')).channelProblem(current),
    fields: (context, row) => {
      const { fields } = context.text;
      return [
        { key: 'device_id', kind: 'text', label: fields.device_id, isRequired: true, most: 64 },
        {
          ...{ key: 'bus_id', kind: 'bus', label: fields.bus_id },
          ...{ stored: ({ bus }) => `${bus?.id ?? ''}`, ...(row?.bus && { chosen: row.bus.name }) },
          markOf: ({ unit }) =>
            unit && unit.id !== row?.id ? context.text.hasUnit(unit.device_id) : undefined,
          note: (busId, { protocol = row?.protocol ?? null }) =>
            protocol === 'jt808' && Number(busId) > 0 && <NamelessNote busId={Number(busId)} />,
        },
        {
          ...{ key: 'client_id', kind: 'pick', label: fields.client_id },
          ...{ options: clientOptions(context), initial: onlyClient(context) },
          stored: ({ client }) => `${client?.id ?? ''}`,
          isShown: (values) => values.bus_id === '',
        },
        {
          ...{
            key: 'moved_from',
            kind: 'moment',
            Control: MomentField,
            label: fields.moved_from,
            only: 'stored',
          },
          hint: row && hasNoBusYet(row) ? context.text.movedFromFirst : context.text.movedFrom,
          ...{ isOfChange: true, stored: () => '' },
          note: (moment, { bus_id: busId }) =>
            row && <UnitMoveNote unit={row} moment={`${moment}`} busId={`${busId}`} />,
          // One that has never sent anything has no history. An adopted one has, before its first bus is saved.
          isShown: ({ bus_id }) =>
            row !== undefined &&
            (row.last_seen_at !== null || (row.protocol !== null && hasNoBusYet(row))) &&
            bus_id !== `${row.bus?.id ?? ''}`,
        },
        { key: 'enabled', kind: 'yes', label: fields.enabled, only: 'stored' },
        ...(context.user.role === 'ADMIN' ? protocolFields(row) : []),
      ];
    },
  }),
  Parts: ({ row }) => <UnitParts row={row} />,
};
