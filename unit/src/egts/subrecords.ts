// Subrecords with all of their optional fields (GOST 33472-2015, annex В).
import type { EgtsSubrecord } from './packet.ts';

const uint = (value: number, bytes: number): Buffer => {
  const data = Buffer.alloc(bytes);
  data.writeUIntLE(value, 0, bytes);
  return data;
};

/** A terminal as it describes itself; its number is 0 where it has none. */
export interface EgtsIdentity {
  readonly number: number;
  /** Its home platform. */
  readonly home?: number;
  /** 15 digits. */
  readonly imei?: string;
  /** 16 characters. */
  readonly imsi?: string;
  /** Three letters of a language. */
  readonly language?: string;
  /** Whether it signs in without a password. */
  readonly isSimple?: boolean;
  /** Three bytes of its network. */
  readonly network?: number;
  /** Bytes that it can take at once. */
  readonly buffer?: number;
  /** 15 characters of its telephone number. */
  readonly phone?: string;
}

/** Subrecord 1. */
export function identitySubrecord(identity: EgtsIdentity): EgtsSubrecord {
  const { home, imei, imsi, language, isSimple, network, buffer, phone } = identity;
  const text = (value: string | undefined): Buffer | undefined =>
    value === undefined ? undefined : Buffer.from(value, 'latin1');
  const number = (value: number | undefined, bytes: number): Buffer | undefined =>
    value === undefined ? undefined : uint(value, bytes);
  const fields: readonly (readonly [flag: number, bytes: Buffer | undefined])[] = [
    [0x01, number(home, 2)],
    [0x02, text(imei)],
    [0x04, text(imsi)],
    [0x08, text(language)],
    [0x10, isSimple ? Buffer.alloc(0) : undefined],
    [0x20, number(network, 3)],
    [0x40, number(buffer, 2)],
    [0x80, text(phone)],
  ];
  const said = fields.filter((field) => field[1] !== undefined);
  const flags = said.reduce((bits, [flag]) => bits | flag, 0);
  const data = said.flatMap(([, bytes]) => bytes ?? []);
  return {
    type: 1,
    data: Buffer.concat([uint(identity.number, 4), Buffer.from([flags]), ...data]),
  };
}

/** Subrecord 5: the number of a platform, and its description in bytes of its own. */
export function platformSubrecord(number: number, description = ''): EgtsSubrecord {
  const data = Buffer.concat([Buffer.from([0]), uint(number, 4), Buffer.from(description, 'utf8')]);
  return { type: 5, data };
}

/** Subrecord 7: a name and a password, each ended by a zero. */
export function passwordSubrecord(name: string, password: string): EgtsSubrecord {
  return { type: 7, data: Buffer.from(`${name}\0${password}\0`, 'latin1') };
}

/** The precision of a position; a field that is not given is not sent. */
export interface EgtsPrecision {
  readonly vdop?: number;
  readonly hdop?: number;
  readonly pdop?: number;
  /** In use. */
  readonly satellites?: number;
  /** Bits of navigation systems: 1 GLONASS, 2 GPS, 4 Galileo. */
  readonly systems?: number;
}

/** Subrecord 17. */
export function precisionSubrecord(precision: EgtsPrecision): EgtsSubrecord {
  const { vdop, hdop, pdop, satellites, systems } = precision;
  const hundredths = (value: number | undefined) =>
    value === undefined ? undefined : uint(Math.round(value * 100), 2);
  const fields = [
    ...[vdop, hdop, pdop].map(hundredths),
    satellites === undefined ? undefined : uint(satellites, 1),
    systems === undefined ? undefined : uint(systems, 2),
  ];
  const flags = fields.reduce(
    (bits, field, bit) => (field === undefined ? bits : bits | (1 << bit)),
    0,
  );
  return { type: 17, data: Buffer.concat([uint(flags, 1), ...fields.flatMap((one) => one ?? [])]) };
}

/** Subrecord 28 in a form of the vendor's own. */
export function vendorCountsSubrecord(
  module: number,
  bytes: Uint8Array,
  flags = 0x01,
): EgtsSubrecord {
  const head = Buffer.concat([Buffer.from([flags, 0, 0]), uint(module, 2)]);
  return { type: 28, data: Buffer.concat([head, bytes]) };
}
