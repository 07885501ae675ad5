import type { ProtocolTexts } from './protocol-texts-ru.ts';

/** English texts of units that do not speak the unit interface. */
export const en: ProtocolTexts = {
  fields: {
    protocol: 'Protocol',
    protocol_id: 'Number in the protocol',
    egts_counts: 'What the door counter sends',
    egts_raw_flag: 'Raw data flag (RDF)',
    egts_module_bytes: 'Number of the counter',
    jt808_clock_hours: 'Clock of the unit',
    jt808_door: 'Door of the counter',
    jt808_uploads: 'Recorded video comes',
    osmand_speed: 'Unit of speed',
  },
  own: "Ridewatch's own",
  protocolHint:
    'EGTS and JT/T 808 are ready-made equipment, OsmAnd is a phone with an app, or a counter that sends by HTTP',
  ids: {
    egts: {
      label: 'Number of the terminal, or IMEI',
      hint: 'From the settings of the unit: the number of the object or terminal, or an IMEI of 14 or 15 digits',
      fault:
        'This is no number of EGTS: a number from 1 to 4294967295 without zeros before it, or an IMEI of 14 or 15 digits',
    },
    jt808: {
      label: 'Number of the terminal',
      hint: 'Usually the number of its SIM card or the one on its case, without zeros before it. It may have letters from a to f',
      fault:
        'This is no number of JT/T 808: up to 20 digits, or letters from a to f, without zeros before them',
    },
    osmand: {
      label: 'Identifier',
      hint: 'Empty: the system makes a long random one that nobody guesses when you save',
      fault: 'Up to 64 Latin letters, digits and . : @ _ - without spaces',
    },
  },
  guide: (protocol) => `Help: how to connect ${protocol}`,
  makeId: 'Make a new one',
  hints: {
    egts_counts: 'If the totals have many times more people than ride, choose the running total',
    egts_raw_flag: 'If positions arrive and people do not, try another value',
    egts_module_bytes: 'Change it only if the maker of the unit says so',
    jt808_clock_hours: 'If the times of positions are wrong by whole hours, choose another one',
    jt808_door: 'The protocol names no door: everybody whom the unit counts is recorded here',
    jt808_uploads:
      'By Wi-Fi only: requested video waits until the bus is at the depot, at most a week. Live video comes by any link',
    osmand_speed: 'Speeds twice too high: choose km/h; half of the real ones: m/s',
  },
  egts_counts: {
    delta: 'who passed since the last time',
    cumulative: 'a running total that only grows',
  },
  egts_raw_flag: {
    low: 'as in the standard',
    high: 'in the highest bit',
    inverted: 'as in the standard, but inverted',
  },
  egts_module_bytes: { little: 'as in the standard', big: 'bytes in reverse order' },
  jt808_uploads: { any: 'by any link', wifi: 'by Wi-Fi only, at the depot' },
  osmand_speed: { knots: 'knots (Traccar Client)', kmh: 'km/h', ms: 'm/s (the OsmAnd app)' },
  clockNames: { 0: 'Greenwich', 3: 'Moscow', 8: 'Beijing, the standard' },
  door: (door) => `door ${door}`,
  weak: {
    mark: 'weak identity',
    why: {
      egts: 'A number is no password: anybody who knows it can send for this unit.',
      jt808: 'A number is no password: anybody who knows it can send for this unit.',
      osmand:
        'A phone has no password, only its identifier: anybody who learns it can send for this unit. Nobody guesses a random one, but keep it secret.',
    },
    typed:
      'A phone has no password, only its identifier: anybody who learns or guesses it can send for this unit. This one was not made by the system: a word or a short number is soon guessed. Let the system make one that nobody guesses, and keep it secret.',
    limited: (variable) =>
      `The server takes it only from the addresses in ${variable}: leave it that way.`,
    openPhone: (variable) =>
      `What helps: make a new identifier if a stranger may have learned the old one. If phones always come from the same addresses, name these in ${variable} on the server.`,
    open: (variable) =>
      `What helps: name the addresses that may send in ${variable} on the server, and do not open the port to the internet.`,
  },
  address: {
    title: (protocol) => `Where to send: ${protocol}`,
    host: 'Server',
    port: 'Port',
    url: 'Server address',
    or: 'or',
    off: 'switched off',
    closed: (protocol, variable) =>
      `The port of ${protocol} is switched off on the server: ${variable}\u00a0=\u00a00. Until it is on, the unit cannot connect.`,
    taken: (port, why, variable) =>
      `Port ${port} is closed now: ${why}. No unit can connect by it. Tell the person who looks after the server (setting ${variable}).`,
    own: (host) =>
      `Only the server itself knows the ${host === 'localhost' ? 'name' : 'address'} ${host}. The unit needs the name or address by which the network reaches the server.`,
    failed: 'where to send',
    connection: 'Connection',
    noCredential: (protocol) => `${protocol} needs no credential.`,
  },
  feed: {
    bytes: 'The message as it came (hexadecimal digits)',
    text: 'The message as it came',
    fates: {
      stored: 'recorded',
      nothing: 'read: nothing to record',
      kept_aside: 'kept aside: its time is impossible',
      no_fix: 'no place: nothing to record',
      vendor_form: 'a closed form of the counter (RDF): people not counted',
      other_content: 'something else is recorded at this time',
      no_room: 'too many records at once',
      impossible_time: 'an impossible time',
      unread: 'cannot be read: the unit departs from the protocol',
      not_now: 'not recorded now: the unit must repeat it',
    },
    answered: (status) => (status < 300 ? 'accepted' : `refused ${status}`),
  },
};
