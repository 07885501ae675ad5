// Numbers of JT/T 1078-2016: stream packets, and the messages of JT/T 808 by which a stream is asked for and ended.

/** The first bytes of each stream packet. */
export const MARKER = Buffer.from('30316364', 'hex');

/** Most bytes of a packet's body: 950 by the standard, and some terminals send more. */
export const MOST_BODY_BYTES = 4096;

/** Content of a packet: pictures of three kinds, sound, or bytes of another device. */
export const DATA = { key: 0, predicted: 1, bidirectional: 2, audio: 3, other: 4 } as const;
export type Data = (typeof DATA)[keyof typeof DATA];

/** Part of a picture that a packet holds. */
export const PART = { whole: 0, first: 1, last: 2, middle: 3 } as const;
export type Part = (typeof PART)[keyof typeof PART];

/** The codings that browsers play, by payload type; the standard has also SVAC (100) and AVS (101). */
export const CODECS: { readonly [payloadType: number]: 'h264' | 'h265' | undefined } = {
  98: 'h264',
  99: 'h265',
};

/** Messages of the server. */
export const VIDEO = {
  /** Send a stream to an address. */
  start: 0x9101,
  /** End it, pause it, change its kind. */
  control: 0x9102,
  /** List the files of a time. */
  list: 0x9205,
  /** Upload a file by FTP. */
  upload: 0x9206,
  /** Pause, continue or cancel an upload. */
  uploadControl: 0x9207,
} as const;
export type Video = (typeof VIDEO)[keyof typeof VIDEO];

/** Content of a file: 0 pictures and sound, 1 sound, 2 pictures, 3 pictures with or without sound. */
export const MEDIA = { audio: 1, any: 3 } as const;
/** Streams and storages of a file; 0 in a query is any. */
export const FILE = { any: 0, main: 1, second: 2 } as const;
/** Links by which a terminal may upload: Wi-Fi, LAN and the mobile network. */
export const LINKS = { wifi: 0b001, all: 0b111 } as const;

/** The two streams of a camera: as it is recorded, and a smaller one. */
export const STREAM = { main: 0, sub: 1 } as const;
