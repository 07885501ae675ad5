// Fields of a unit that uses another protocol than the unit interface: the protocol, its id there, and its departures from the
// protocol's standard. All settings are columns of one JSON; each protocol reads its own.
import { randomBytes } from 'node:crypto';
import type * as contract from '@ridewatch/contract/admin-units';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import {
  EgtsSettings,
  Jt808Settings,
  OsmandSettings,
  type ProtocolSettingField,
  protocolIdFault,
  type UnitProtocol,
} from '@ridewatch/contract/unit-protocols';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';

type Unit = contract.AdminUnit;
type Field = 'protocol' | 'protocol_id' | ProtocolSettingField;
type Fields = Partial<Pick<Unit, Field>>;
/** The settings of a unit by field. */
export type ProtocolSettings = Pick<Unit, ProtocolSettingField>;
type Known = Pick<Unit, 'protocol' | 'protocol_id'>;

/** Each setting's key in the stored JSON. */
const KEYS = {
  egts_counts: 'counts',
  egts_raw_flag: 'raw_flag',
  egts_module_bytes: 'module_bytes',
  jt808_clock_hours: 'clock_hours',
  jt808_door: 'door',
  jt808_uploads: 'uploads',
  osmand_speed: 'speed',
} as const satisfies Record<ProtocolSettingField, string>;
const SETTINGS = Object.keys(KEYS) as readonly ProtocolSettingField[];
const FIELDS: readonly Field[] = ['protocol', 'protocol_id', ...SETTINGS];

const egts = EgtsSettings.parse({});
const jt808 = Jt808Settings.parse({});
const osmand = OsmandSettings.parse({});

/** The settings of devices that keep to the standards. */
const standardSettings: ProtocolSettings = {
  egts_counts: egts.counts,
  egts_raw_flag: egts.raw_flag,
  egts_module_bytes: egts.module_bytes,
  jt808_clock_hours: jt808.clock_hours,
  jt808_door: jt808.door,
  jt808_uploads: jt808.uploads,
  osmand_speed: osmand.speed,
};

const storedSetting = (field: ProtocolSettingField): RawBuilder<unknown> => {
  const standard = standardSettings[field];
  const stored = sql`protocol_settings ->> ${sql.lit(KEYS[field])}`;
  const value =
    typeof standard === 'number'
      ? sql`coalesce((${stored})::int, ${sql.lit(standard)})`
      : sql`coalesce(${stored}, ${sql.lit(standard)})`;
  return sql`${value} as ${sql.ref(field)}`;
};

/** These fields of a unit as columns; settings that were never changed are those of the standard. */
export const protocolColumns: RawBuilder<unknown> = sql`protocol, protocol_id,
  ${sql.join(SETTINGS.map(storedSetting))}`;

/** A new id for the OsmAnd form: 128 random bits, which nobody guesses. */
export const makeProtocolId = (): string => randomBytes(16).toString('hex');

/**
 * Gives the fields that a change names. An id is all that a unit shows, so only administrators give it to one. Where the
 * protocol is OsmAnd and the change takes the id away, or names none with the new protocol, it gets one that is made here.
 * @param unitId of the locked unit
 * @throws AppError no_right
 */
export async function wantedProtocol(
  tx: Tx,
  { role }: Pick<Viewer, 'role'>,
  unitId: number,
  body: Pick<BodyOf<typeof contract.updateUnit>, Field>,
): Promise<{ readonly [Name in Field]?: Unit[Name] | undefined }> {
  const named = FIELDS.find((field) => body[field] !== undefined);
  if (named === undefined) return {};
  if (role !== 'ADMIN') throw noRight(named);
  const { protocol, protocol_id } = body;
  const settings = Object.fromEntries(SETTINGS.map((field) => [field, body[field]]));
  if (protocol === null) return { ...settings, protocol, protocol_id: null };
  const before = await tx
    .selectFrom('units')
    .select('protocol')
    .where('id', '=', unitId)
    .executeTakeFirst();
  const isOsmand = (protocol ?? before?.protocol) === 'osmand';
  const isUnnamed = protocol_id === undefined && before?.protocol !== 'osmand';
  const isMade = isOsmand && (protocol_id === null || isUnnamed);
  return { ...settings, protocol, protocol_id: isMade ? makeProtocolId() : protocol_id };
}

/**
 * Gives the protocol of a new unit from the body that creates it. An id of OsmAnd that it does not name stays null, and
 * `insertUnits` makes one.
 * @throws AppError no_right, invalid_request
 */
export function protocolOfNew(
  { role }: Pick<Viewer, 'role'>,
  body: BodyOf<typeof contract.createUnit>,
): Known & { readonly settings: Partial<ProtocolSettings> } {
  const named = FIELDS.find((field) => body[field] !== undefined && body[field] !== null);
  if (named !== undefined && role !== 'ADMIN') throw noRight(named);
  const { protocol = null, protocol_id = null } = body;
  if (protocol !== 'osmand' || protocol_id !== null) checkProtocolId({ protocol, protocol_id });
  const given = SETTINGS.filter((field) => body[field] !== undefined);
  const settings = Object.fromEntries(given.map((field) => [field, body[field]]));
  return { protocol, protocol_id, settings };
}

const noRight = (field: Field): AppError =>
  new AppError('no_right', "Only administrators may change a unit's protocol.", { field });

/**
 * The columns of `units` that a change writes.
 * @throws AppError invalid_request for an id without a protocol, and for one that is not in the form of its protocol
 */
export function protocolRow(changed: Fields, before: Known) {
  const known = { ...before, ...changed };
  // A stored id may be of a form that was taken before.
  const isKept = known.protocol === before.protocol && known.protocol_id === before.protocol_id;
  if (!isKept) checkProtocolId(known);
  const settings = settingsJson(changed);
  return {
    ...(changed.protocol !== undefined && { protocol: changed.protocol }),
    ...(changed.protocol_id !== undefined && { protocol_id: changed.protocol_id }),
    ...(settings !== '{}' && {
      protocol_settings: sql<string>`protocol_settings || ${settings}::jsonb`,
    }),
  };
}

/** Changes of these are of another device, or of another way to read its counters. */
const OF_COUNTERS = ['protocol', 'protocol_id', 'egts_counts', 'egts_module_bytes'] as const;

/**
 * Forgets what the counters of a unit showed last, if a change makes it no measure for what comes: the next reading of each
 * counter is a first one. The caller holds the unit's lock.
 */
export async function forgetReadings(tx: Tx, unitId: number, changed: Fields): Promise<void> {
  if (OF_COUNTERS.every((field) => changed[field] === undefined)) return;
  await tx.deleteFrom('counter_readings').where('unit_id', '=', unitId).execute();
}

/** Settings as they are stored; those that are not named are left out. */
export const settingsJson = (fields: Partial<ProtocolSettings>): string =>
  JSON.stringify(
    Object.fromEntries(
      SETTINGS.flatMap((field) =>
        fields[field] === undefined ? [] : [[KEYS[field], fields[field]]],
      ),
    ),
  );

/** @throws AppError invalid_request */
function checkProtocolId({ protocol, protocol_id }: Known): void {
  if (protocol === null && protocol_id === null) return;
  const [field, fault] =
    protocol === null
      ? ['protocol', 'is required']
      : ['protocol_id', idFault(protocol, protocol_id)];
  if (fault !== undefined) throw new AppError('invalid_request', fault, { field });
}

const idFault = (protocol: UnitProtocol, id: string | null): string | undefined =>
  id === null ? 'is required' : protocolIdFault(protocol, id);
