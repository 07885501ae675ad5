// Numbers of EGTS (GOST 33472-2015, annexes Б and В).

/** Kinds of packets. */
export const PACKET = { response: 0, appdata: 1, signed: 2 } as const;

/** Services of records. */
export const SERVICE = { auth: 1, teledata: 2 } as const;

/** Subrecords that are read or written; all others are skipped by their length. */
export const SUBRECORD = {
  recordResponse: 0,
  termIdentity: 1,
  dispatcherIdentity: 5,
  authInfo: 7,
  resultCode: 9,
  position: 16,
  extendedPosition: 17,
  passengers: 28,
} as const;

/** Results of packets and of records. */
export const RESULT = {
  ok: 0,
  /** The packet is of another version of the protocol. */
  otherProtocol: 128,
  encrypted: 129,
  headerForm: 131,
  dataForm: 132,
  otherType: 133,
  /** The record lacks something, such as a time. */
  notEnough: 134,
  alreadyProcessed: 135,
  headerChecksum: 137,
  dataChecksum: 138,
  length: 139,
  unknownService: 150,
  /** The record names no object, and the terminal has not said its name. */
  notSignedIn: 151,
  unknownId: 153,
  impossibleTime: 154,
  noRoom: 156,
} as const;

/** Times are seconds since 2010 UTC, ms since 1970 UTC. */
export const EPOCH_MS = Date.UTC(2010);

/** The number of 90° of latitude, and of 180° of longitude. */
export const FULL_SCALE = 0xffff_ffff;

/** Largest packet, bytes. */
export const MAX_PACKET_BYTES = 65_535;
