import { spanText } from '../../i18n/format.ts';
import { enForm } from '../../i18n/plural.ts';
import type { ConnectTexts } from './texts-ru.ts';

const units = { s: 's', min: 'min', h: 'h', d: 'd' };

/** English texts of the page that connects a unit. */
export const en: ConnectTexts = {
  title: 'Connect a unit',
  text: 'A unit sends its data here by HTTP, with its own credential. One command in a terminal tests the address, the credential and the network before the unit is configured.',
  unit: 'Unit',
  choose: 'Choose a unit',
  failedTitle: 'The units could not be loaded',
  unitFailedTitle: 'The chosen unit could not be loaded',
  failedArrivals: 'what the unit sent',
  noUnits: 'There are no units yet',
  noUnitsText: 'First create a unit and put it into a bus.',
  create: 'Create a unit',
  ofMany: (shown, all) =>
    `These are ${shown} of ${all}. The others are in the administration: each has a link “Connect”.`,
  inBus: (bus) => `It is in bus ${bus}.`,
  noBus: 'The unit is in no bus, so nothing counts yet. Put it into a bus.',
  inTest: 'The unit is in test mode: what it sends does not count until the test ends.',
  disabled: 'The unit is switched off: the server refuses it. Switch it on in the administration.',
  open: 'Open the unit',
  issue: 'Issue a credential and show the commands',
  issueText: (hours) =>
    `The credential is shown once. Earlier credentials of the unit stop working after ${hours} hours.`,
  address: 'Address of the server',
  credential: 'Credential of the unit',
  position: 'Send a position',
  positionText:
    'Paste the command into a terminal (Linux, macOS, WSL; it needs curl). The coordinates are an example.',
  passenger: 'Send a passenger',
  passengerText: 'One adult entered at door 1. The totals of today will have it.',
  copy: 'Copy the command',
  copied: 'Copied',
  waiting: 'Waiting…',
  at: (time, day) => `${day ? `on ${day} ` : ''}at ${time} Moscow time`,
  positionArrived: (when, place) => `Arrived ${when}: ${place}`,
  passengerArrived: (when) => `Counted ${when}`,
  passengerKept: (when) => `Arrived ${when}, not counted yet: the unit is in no bus`,
  wrong: {
    refused: 'An old credential of the unit was refused: it has ended. Enter the new one.',
    unknown:
      "Somebody's unit or program sent a credential that belongs to no unit, and was refused. If it was you, it was not copied whole or is another one: copy the command again.",
    heard:
      'The unit was heard, but sent no position. Look for refused and kept_aside in the answer: the reason stands there.',
    clock:
      'The clock of the unit is wrong. The server corrects the times of new records, and may keep older ones aside. Set the clock.',
  },
  details: {
    refused: (when) => `The old credential was refused last ${when}.`,
    unknown: (when) => `The unknown credential was refused last ${when}.`,
    heard: (when) => `The unit was heard last ${when}.`,
    clock: (span, isAhead) =>
      `The clock is ${spanText(span, units)} ${isAhead ? 'ahead' : 'behind'}.`,
  },
  nothing: 'Nothing arrives?',
  terminal: (address) => [
    [
      "Could not resolve host, Couldn't connect, Connection refused, timed out",
      `This machine does not reach the server. Check the address ${address}, the network and the firewall.`,
    ],
    [
      '"error":"not_found", <html>',
      `The command went elsewhere: batches of units go to ${address}/unit/v1/batches.`,
    ],
    [
      '"error":"unauthorized"',
      'The credential was not copied whole, or was revoked. Copy the command again, or issue another credential.',
    ],
    ['"refused":[…]', 'A record was not taken; reason and field beside it say why.'],
    ['"kept_aside":[…]', 'The clock of the unit does not tell when this was: set the clock.'],
    [
      '"acknowledged":[…]',
      'It arrived. If this page still says “Waiting…”, the command has the credential of another unit.',
    ],
  ],
  ownAddress: (address) =>
    `Only the server itself knows the address ${address}: it is no use in a unit. Open this page by the name by which units reach the server.`,
  paused: 'Nothing arrived in 15 minutes, so the page has stopped asking.',
  again: 'Ask again',
  toBus: 'Open the bus',
  real: 'Configure the unit',
  realText:
    'Enter the address and the credential in the unit. The unit interface describes batches, uploads of video and commands.',
  toInterface: 'Unit interface',
  others: {
    title: 'Equipment with EGTS, JT/T 808 or OsmAnd',
    text: (on, off) =>
      [
        'If a bus has such equipment already, leave it: it needs no credential either.',
        on.length > 0 &&
          `With ${on.join(' and ')}, enter the address of the server in its settings and let it send: it appears under “Unknown units”, and an administrator adopts it with one press.`,
        off.length > 0 &&
          `${off.join(' and ')} ${enForm(off.length, 'is', 'are')} switched off on the server.`,
        'OsmAnd needs a unit first.',
      ]
        .filter(Boolean)
        .join(' '),
    ways: {
      egts: 'The unit sends by EGTS to a port of the server, which knows it by its number: it needs no credential and no commands.',
      jt808:
        'The terminal sends by JT/T 808 to a port of the server, which knows it by its number: it needs no credential and no commands.',
      osmand:
        'The phone or counter sends by HTTP in the OsmAnd form. The server knows it by its identifier: it needs no credential and no commands.',
    },
    kinds: {
      egts: '— on-board terminals and regional platforms',
      jt808: '— terminals and recorders of Chinese makers',
      osmand: '— a phone with OsmAnd or Traccar Client, or a counter that sends by HTTP',
    },
    numbers: {
      egts: 'Each unit has a number of its own, which stays as it is: that of the terminal, that of the object on the platform, or an IMEI.',
      jt808:
        'Each unit has a number of its own, which stays as it is: usually that of its SIM card. It may have letters from a to f.',
      osmand:
        'First create a unit and choose the protocol OsmAnd in its form: the system makes an identifier, which you enter in the app or counter.',
    },
    askAdmin:
      'First ask an administrator for a unit with the protocol OsmAnd: the system makes its identifier, which you enter in the app or counter.',
    toUnknown: 'Unknown units',
    toGuide: 'How to set it up',
    toPage: (protocol) => `Help on ${protocol}: connecting, counters, quirks`,
    toDocument: (protocol) => `The full description of ${protocol}`,
    adults: 'The protocol does not tell adults and children apart: all passengers count as adults.',
    ids: { egts: 'number', jt808: 'number', osmand: 'identifier' },
    enter: (id, protocol) => `Enter the address and the ${id} in the unit (${protocol})`,
    wait: 'Wait for its data',
    waitText: 'Let it send: this page says when the first position and passengers have arrived.',
    data: 'Data of the unit',
    shut: {
      off: (protocol) =>
        `Nothing to wait for yet: the port of ${protocol} is switched off on the server.`,
      closed: (protocol) => `Nothing to wait for yet: the port of ${protocol} is closed.`,
    },
    onlyFrom: (variable, isAdmin) =>
      `The server takes data only from the addresses in ${variable}. A unit at any other is refused${isAdmin ? ', and does not appear under “Unknown units” either' : ''}.`,
    refusedLast: (address, time) => `The address refused last: ${address}, at ${time} Moscow time.`,
    position: 'Positions',
    passenger: 'Passengers',
    before: (when) => `the last ones ${when}`,
    heard: (minutes) =>
      `The unit was heard, but sent no position for ${minutes} minutes: perhaps it sees no satellites yet.`,
    nothing: (id, isAdmin) => [
      `${isAdmin ? 'The unit is under “Unknown units”?' : 'An administrator sees the unit under “Unknown units”?'} Then its ${id} and the one here are different.`,
      'It is not there either: its data do not reach the server. Check address and port in the unit, its SIM card and the firewall of the server.',
      'Positions arrive and passengers do not: look at the settings of the counter in the form of the unit, and at “What the unit sends”.',
    ],
  },
  noRight: 'A page for administrators and integrators',
  noRightText: 'They connect units. An administrator gives the right.',
  toHome: 'To the home page',
};
