// How a unit speaks that does not speak the unit interface: its protocol, its id in it, and its departures from the standard.
import type * as contract from '@ridewatch/contract/admin-units';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';

type Unit = contract.AdminUnit;
type Field = 'protocol' | 'protocol_id' | 'egts_counts' | 'egts_raw_flag' | 'egts_module_bytes';
type Fields = Partial<Pick<Unit, Field>>;

const FIELDS: readonly Field[] = [
  ...(['protocol', 'protocol_id'] as const),
  ...(['egts_counts', 'egts_raw_flag', 'egts_module_bytes'] as const),
];

/** These fields of a unit as columns; settings that were never changed are those of the standard. */
export const protocolColumns: RawBuilder<unknown> = sql`protocol, protocol_id,
  coalesce(protocol_settings ->> 'counts', 'delta') as egts_counts,
  coalesce(protocol_settings ->> 'raw_flag', 'low') as egts_raw_flag,
  coalesce(protocol_settings ->> 'module_bytes', 'little') as egts_module_bytes`;

/**
 * Gives the fields that a change names. An id is no secret, so that only administrators may say whose it is.
 * @throws AppError no_right
 */
export function wantedProtocol(
  { role }: Pick<Viewer, 'role'>,
  body: Pick<BodyOf<typeof contract.updateUnit>, Field>,
): { readonly [Name in Field]?: Unit[Name] | undefined } {
  const named = FIELDS.find((field) => body[field] !== undefined);
  if (named === undefined) return {};
  if (role !== 'ADMIN') {
    const message = 'Only administrators may give a unit its id in a protocol.';
    throw new AppError('no_right', message, { field: named });
  }
  const { protocol, protocol_id, egts_counts, egts_raw_flag, egts_module_bytes } = body;
  return {
    ...{ protocol, protocol_id: protocol === null ? null : protocol_id },
    ...{ egts_counts, egts_raw_flag, egts_module_bytes },
  };
}

/**
 * The columns of `units` that a change writes.
 * @throws AppError invalid_request for a protocol without an id, and for an id without a protocol
 */
export function protocolRow(changed: Fields, before: Pick<Unit, 'protocol' | 'protocol_id'>) {
  const { protocol, protocol_id } = { ...before, ...changed };
  if ((protocol === null) !== (protocol_id === null)) {
    const field = protocol === null ? 'protocol' : 'protocol_id';
    throw new AppError('invalid_request', 'is required', { field });
  }
  const { egts_counts: counts, egts_raw_flag: raw_flag, egts_module_bytes: module_bytes } = changed;
  const settings = JSON.stringify({ counts, raw_flag, module_bytes });
  return {
    ...(changed.protocol !== undefined && { protocol: changed.protocol }),
    ...(changed.protocol_id !== undefined && { protocol_id: changed.protocol_id }),
    ...(settings !== '{}' && {
      protocol_settings: sql<string>`protocol_settings || ${settings}::jsonb`,
    }),
  };
}
