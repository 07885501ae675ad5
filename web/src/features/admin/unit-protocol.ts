// How a unit speaks that does not speak the unit interface, as fields of its form.
import type { AdminUnit } from '@ridewatch/contract/admin-units';
import type { Values } from './form-values.ts';
import { optionsOf } from './section.ts';
import type { RowField } from './section-form.ts';
import type { AdminTexts } from './texts-ru.ts';

type ProtocolField =
  | 'protocol'
  | 'protocol_id'
  | 'egts_counts'
  | 'egts_raw_flag'
  | 'egts_module_bytes';

const ofEgts = ({ protocol }: Values): boolean => protocol === 'egts';

/** The fields of a unit's protocol, and of the ways in which it departs from the standard. */
export function protocolFields({
  fields,
  protocols,
  egts,
}: AdminTexts): readonly RowField<AdminUnit, ProtocolField>[] {
  const setting = { kind: 'choice', only: 'stored', isShown: ofEgts } as const;
  return [
    {
      ...{ key: 'protocol', kind: 'choice', label: fields.protocol, only: 'stored' },
      options: [{ value: '', label: protocols.own }, ...optionsOf(['egts'], protocols)],
      wire: (value: string) => value || null,
    },
    {
      ...{ key: 'protocol_id', kind: 'text', label: fields.protocol_id, only: 'stored' },
      ...{ most: 15, isShown: ofEgts },
    },
    {
      ...{ ...setting, key: 'egts_counts', label: fields.egts_counts, hint: egts.hint },
      options: optionsOf(['delta', 'cumulative'], egts.counts),
    },
    {
      ...{ ...setting, key: 'egts_raw_flag', label: fields.egts_raw_flag },
      options: optionsOf(['low', 'high', 'inverted'], egts.raw_flag),
    },
    {
      ...{ ...setting, key: 'egts_module_bytes', label: fields.egts_module_bytes },
      options: optionsOf(['little', 'big'], egts.module_bytes),
    },
  ];
}
