// Fields of a unit that uses another protocol than the unit interface, in its form. Only those of the chosen protocol are
// shown.
import type { AdminUnit } from '@ridewatch/contract/admin-units';
import {
  type ProtocolSettingField,
  protocolIdFault,
  protocolIdOf,
  protocolNames,
  protocolOf,
  UnitProtocol,
} from '@ridewatch/contract/unit-protocols';
import type { Option, Values } from './form-values.ts';
import { ProtocolGuide } from './guide-link.tsx';
import { MadeIdField } from './made-id-field.tsx';
import { optionsOf, type Property } from './section.ts';
import type { RowField } from './section-form.ts';
import { protocolText } from './use-protocol-text.ts';
import { WeakIdentity } from './weak-identity.tsx';

type ProtocolField = 'protocol' | 'protocol_id' | ProtocolSettingField;
type Field = RowField<AdminUnit, ProtocolField>;

const isOf =
  (wanted: UnitProtocol) =>
  ({ protocol }: Values): boolean =>
    protocol === wanted;

/** The fields of a unit's protocol, and of the ways in which it departs from the standard. */
export function protocolFields(row: AdminUnit | undefined): readonly Field[] {
  const { fields, own, protocolHint } = protocolText();
  const stored = { protocol: row?.protocol ?? '', id: row?.protocol_id ?? '' };
  return [
    {
      ...{ key: 'protocol', kind: 'choice', label: fields.protocol },
      ...{ hint: protocolHint },
      note: (value) => {
        const protocol = UnitProtocol.options.find((one) => one === value);
        return protocol && <ProtocolGuide protocol={protocol} />;
      },
      options: [{ value: '', label: own }, ...optionsOf(UnitProtocol.options, protocolNames)],
      wire: (value: string) => value || null,
      // An id of another protocol names nobody in this one.
      also: (value) => ({ protocol_id: value === stored.protocol ? stored.id : '' }),
    },
    ...UnitProtocol.options.map((protocol) => idField(protocol, stored)),
    ...settingFields(),
  ];
}

/** @param stored the id that the unit has; it may be of a form that was taken before */
function idField(protocol: UnitProtocol, stored: { protocol: string; id: string }): Field {
  const { label, hint, fault } = protocolText().ids[protocol];
  return {
    ...{ key: 'protocol_id', kind: 'text', most: 64, label, hint },
    ...{ isShown: isOf(protocol), sentWith: 'protocol', isRequired: protocol !== 'osmand' },
    ...(protocol === 'osmand' && { Control: MadeIdField }),
    wire: (typed: string) => protocolIdOf(protocol, typed),
    fault: (typed) => {
      if (protocol === stored.protocol && typed === stored.id) return undefined;
      const isSound = protocolIdFault(protocol, protocolIdOf(protocol, typed)) === undefined;
      return isSound ? undefined : fault;
    },
    note: (typed) => <WeakIdentity protocol={protocol} id={`${typed}`.trim()} />,
  };
}

/** The settings of a device that keeps to the standard. */
const initials: Readonly<Record<ProtocolSettingField, string>> = {
  ...{ egts_counts: 'delta', egts_raw_flag: 'low', egts_module_bytes: 'little' },
  ...{ jt808_clock_hours: '8', jt808_door: '1', jt808_uploads: 'any', osmand_speed: 'knots' },
};

/** The settings whose values are numbers. */
const NUMBERS: readonly ProtocolSettingField[] = ['jt808_clock_hours', 'jt808_door'];

function settingOptions(): Readonly<Record<ProtocolSettingField, readonly Option[]>> {
  const text = protocolText();
  return {
    egts_counts: optionsOf(['delta', 'cumulative'], text.egts_counts),
    egts_raw_flag: optionsOf(['low', 'high', 'inverted'], text.egts_raw_flag),
    egts_module_bytes: optionsOf(['little', 'big'], text.egts_module_bytes),
    jt808_clock_hours: numbers(-12, 14, clockName),
    jt808_door: numbers(1, 8, text.door),
    jt808_uploads: optionsOf(['any', 'wifi'], text.jt808_uploads),
    osmand_speed: optionsOf(['knots', 'kmh', 'ms'], text.osmand_speed),
  };
}

function settingFields(): readonly Field[] {
  const text = protocolText();
  const options = settingOptions();
  return (Object.keys(options) as ProtocolSettingField[]).map((key) => ({
    ...{ key, kind: 'choice', label: text.fields[key], hint: text.hints[key] },
    ...{ options: options[key], initial: initials[key], isShown: isOf(protocolOf(key)) },
    ...(NUMBERS.includes(key) && { wire: Number }),
  }));
}

/** How a unit departs from the standard of its protocol, for its drawer, in the words of its form. */
export function protocolProperties(): readonly Property<AdminUnit>[] {
  const { fields } = protocolText();
  const options = Object.entries(settingOptions()) as [ProtocolSettingField, readonly Option[]][];
  return options.map(([key, own]) => ({
    ...{ key, label: fields[key], value: () => null },
    inDrawer: (row) =>
      row.protocol === protocolOf(key)
        ? own.find(({ value }) => value === `${row[key]}`)?.label
        : undefined,
  }));
}

const numbers = (
  least: number,
  most: number,
  labelOf: (value: number) => string,
): readonly Option[] =>
  Array.from({ length: most - least + 1 }, (_, at) => ({
    value: `${least + at}`,
    label: labelOf(least + at),
  }));

function clockName(hours: number): string {
  const zone = hours === 0 ? 'UTC' : `UTC${hours < 0 ? '−' : '+'}${Math.abs(hours)}`;
  const name = protocolText().clockNames[hours];
  return name === undefined ? zone : `${zone} · ${name}`;
}
