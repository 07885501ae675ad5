// Protocols of units that do not speak the unit interface, and how each unit is known in its protocol.
import * as z from 'zod/mini';

export const UnitProtocol = z.enum(['egts', 'jt808', 'osmand']);
export type UnitProtocol = z.infer<typeof UnitProtocol>;

/** The names of the protocols, the same in each language. */
export const protocolNames = {
  ...{ egts: 'EGTS', jt808: 'JT/T 808', osmand: 'OsmAnd' },
} as const satisfies Record<UnitProtocol, string>;

/** The path under which the product takes the OsmAnd form. */
export const OSMAND_PATH = '/unit/osmand';

const OF_ANY = /^[\w.:@-]{1,64}$/;
const OF_ANY_IN_WORDS = 'must be up to 64 Latin letters, digits and . : @ _ -';

/** Its name in the protocol, in the form of any of them. */
export const ProtocolId = z.string().check(z.regex(OF_ANY, OF_ANY_IN_WORDS));

/** Most for OID and TID, which have 32 bits (GOST 33472-2015). */
const MOST_EGTS_NUMBER = 4_294_967_295;
/** Some terminals leave out its check digit. */
const IMEI = /^\d{14,15}$/;
const EGTS_NUMBER = /^[1-9]\d{0,9}$/;
const JT808_NUMBER = /^[1-9a-f][\da-f]{0,19}$/;

/** The form of an id in each protocol, and the form in words. */
const FORMS: { readonly [P in UnitProtocol]: readonly [(id: string) => boolean, string] } = {
  egts: [
    (id) => IMEI.test(id) || (EGTS_NUMBER.test(id) && Number(id) <= MOST_EGTS_NUMBER),
    `must be the number of an object or terminal, from 1 to ${MOST_EGTS_NUMBER}, or an IMEI of 14 or 15 digits`,
  ],
  jt808: [
    (id) => JT808_NUMBER.test(id),
    'must be the number of the terminal without zeros before it: up to 20 digits, or letters from a to f',
  ],
  osmand: [(id) => OF_ANY.test(id), OF_ANY_IN_WORDS],
};

/**
 * Checks the form of an id.
 * @returns what is wrong with it, as the end of a sentence about the id; undefined: nothing
 */
export function protocolIdFault(protocol: UnitProtocol, id: string): string | undefined {
  const [isSound, message] = FORMS[protocol];
  return isSound(id) ? undefined : message;
}

/** An id as the protocol has it: zeros before the number of a terminal of JT/T 808 only fill its field, its letters are small. */
export const protocolIdOf = (protocol: UnitProtocol, typed: string): string =>
  protocol === 'jt808' ? typed.toLowerCase().replace(/^0+(?=[\da-f])/, '') : typed;

/** The ways in which EGTS devices differ, as settings of a unit; the standard's unless given. */
export const EgtsSettings = z.object({
  /** A passenger count tells who came since the last one, or all since the counter began. */
  counts: z._default(z.enum(['delta', 'cumulative']), 'delta'),
  /** The flag of counts in the vendor's own form: the lowest bit, the highest bit, or the lowest one inverted. */
  raw_flag: z._default(z.enum(['low', 'high', 'inverted']), 'low'),
  /** The order of the bytes of a counter module's number. */
  module_bytes: z._default(z.enum(['little', 'big']), 'little'),
});
export type EgtsSettings = z.infer<typeof EgtsSettings>;

/** The ways in which terminals of JT/T 808 differ, as settings of a unit; the standard's unless given. */
export const Jt808Settings = z.object({
  /** How far the terminal's clock is ahead of UTC, hours. The standard says 8; many outside China send UTC. */
  clock_hours: z._default(z.int().check(z.minimum(-12), z.maximum(14)), 8),
  /** The door whose passengers its counts are, as the protocol names none. */
  door: z._default(z.int().check(z.minimum(1), z.maximum(8)), 1),
  /** The links by which the terminal uploads recorded video: any, or Wi-Fi only, which it has at the depot. */
  uploads: z._default(z.enum(['any', 'wifi']), 'any'),
});
export type Jt808Settings = z.infer<typeof Jt808Settings>;

/** The ways in which senders of the OsmAnd form differ, as settings of a unit; the form's unless given. */
export const OsmandSettings = z.object({
  /** The unit of speeds in the query form; JSON has m/s. */
  speed: z._default(z.enum(['knots', 'kmh', 'ms']), 'knots'),
});
export type OsmandSettings = z.infer<typeof OsmandSettings>;

/** All of these settings as fields of a unit: the name of each has its protocol before it. */
export const protocolSettingFields = {
  egts_counts: EgtsSettings.shape.counts.def.innerType,
  egts_raw_flag: EgtsSettings.shape.raw_flag.def.innerType,
  egts_module_bytes: EgtsSettings.shape.module_bytes.def.innerType,
  jt808_clock_hours: Jt808Settings.shape.clock_hours.def.innerType,
  jt808_door: Jt808Settings.shape.door.def.innerType,
  jt808_uploads: Jt808Settings.shape.uploads.def.innerType,
  osmand_speed: OsmandSettings.shape.speed.def.innerType,
} as const;
export type ProtocolSettingField = keyof typeof protocolSettingFields;

/** The protocol of a setting. */
export const protocolOf = (field: ProtocolSettingField): UnitProtocol =>
  UnitProtocol.parse(field.slice(0, field.indexOf('_')));
