// Numbers of JT/T 808 (2011, 2013, 2019) and of JT/T 1078-2016, which adds the passenger flow.

/** Serials of messages, and of packets of JT/T 1078, have two bytes: after so many they begin anew. */
export const SERIALS = 0x10000;

/** Messages of a terminal that are read. All others are refused. */
export const MESSAGE = {
  /** The terminal's answer to a message of the server. */
  answer: 0x0001,
  heartbeat: 0x0002,
  signOff: 0x0003,
  register: 0x0100,
  signIn: 0x0102,
  location: 0x0200,
  locations: 0x0704,
  passengerFlow: 0x1005,
  /** A list of files, which answers a request (requests.ts). */
  fileList: 0x1205,
  /** An upload by FTP that the server asked for has ended. */
  uploadEnd: 0x1206,
} as const;

/** Messages of the server. */
export const PLATFORM = {
  answer: 0x8001,
  /** Asks for parts of a split message that are missing. */
  resend: 0x8003,
  registered: 0x8100,
} as const;

/** Results in general answers, of both sides. */
export const RESULT = {
  ok: 0,
  /** The terminal must register and sign in. */
  failed: 1,
  /** The message is wrong, and would be the next time. */
  wrong: 2,
  notSupported: 3,
} as const;

/** Results of registrations. */
export const REGISTRATION = { ok: 0, unknownTerminal: 4 } as const;

/** Most bytes of a body, which has its length in ten bits, and of a header. */
export const MOST_BODY_BYTES = 1023;
export const MOST_HEADER_BYTES = 21;
