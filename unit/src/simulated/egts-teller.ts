// Tells the records of a simulated unit in EGTS: what belongs to one second is one record, many records are a packet.
import {
  countsSubrecord,
  type EgtsCounts,
  type EgtsRecord,
  type EgtsSubrecord,
  egtsSeconds,
  positionSubrecord,
} from '../egts/packet.ts';
import { precisionSubrecord } from '../egts/subrecords.ts';
import { createEgtsTerminal } from '../egts/terminal.ts';
import { type Teller, type TellerOptions, tellInParts } from './teller.ts';
import type { Told, ToldPeople, ToldPosition } from './told.ts';

/** Records of a packet, which has room for 65,535 bytes; a second of three doors has less than 70. */
const MOST_RECORDS = 400;
const TELEDATA = 2;
/** The number of the counter's module. */
const MODULE = 1;
const OK = 0;
/** No unit has this id, or not yet. */
const UNKNOWN: readonly number[] = [151, 153];

type Unnumbered = Omit<EgtsRecord, 'number' | 'object'>;

/** Creates the teller of a terminal. @param imei 15 digits */
export function createEgtsTeller(
  address: { readonly host: string; readonly port: number },
  imei: string,
  options: TellerOptions,
): Teller {
  const terminal = createEgtsTerminal(address, imei);
  return {
    ...{ byOpening: false, leastEveryMs: 1000 },
    tell: (told) =>
      tellInParts(told, MOST_RECORDS, options, async (part) => {
        const seconds = [...Map.groupBy(part, ({ atMs }) => atMs).values()];
        const results = await terminal.send(seconds.map(recordOf), options.signal);
        let answered = 0;
        for (const [index, result] of results.entries()) {
          if (result === undefined) break;
          if (UNKNOWN.includes(result)) {
            options.onFailure(new Error(`No unit has the IMEI ${imei}.`));
            break;
          }
          if (result !== OK) options.onRefused(`EGTS ${result}`);
          answered += seconds[index]?.length ?? 0;
        }
        return answered;
      }),
    close: async () => terminal.close(),
  };
}

function recordOf(told: readonly Told[]): Unnumbered {
  const positions = told.filter((one) => one.kind === 'position');
  const people = told.filter((one) => one.kind === 'people');
  const doors = Object.fromEntries(people.map(doorOf));
  return {
    service: TELEDATA,
    seconds: egtsSeconds(told[0]?.atMs ?? 0),
    subrecords: [
      ...positions.flatMap(positionSubrecords),
      ...(people.length === 0 ? [] : [countsSubrecord({ module: MODULE, doors })]),
    ],
  };
}

const doorOf = ({
  door,
  entered,
  exited,
}: ToldPeople): [number, EgtsCounts['doors'][number] & object] => [door, [entered, exited]];

function positionSubrecords({ atMs, position }: ToldPosition): EgtsSubrecord[] {
  const { latitude, longitude, speed_kmh, course, satellites, hdop } = position;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') {
    return [positionSubrecord({ timeMs: atMs, latitude: 0, longitude: 0, isValid: false })];
  }
  return [
    positionSubrecord({
      ...{ timeMs: atMs, latitude, longitude },
      ...(speed_kmh !== undefined && { speedKmh: speed_kmh }),
      ...(course !== undefined && { course }),
    }),
    ...(satellites === undefined || hdop === undefined
      ? []
      : [precisionSubrecord({ satellites, hdop })]),
  ];
}
