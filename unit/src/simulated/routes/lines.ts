import { type Line, lineOf, shortWorking } from '../line.ts';
import table156 from './156.json' with { type: 'json' };
import table670k from './670k.json' with { type: 'json' };

const long = readTable(table156);

/** The routes of simulated buses, with their cycle times and demand. */
export const lines = {
  '156': { line: lineOf(long), cycleMin: 108, boardingsPerLap: 58 },
  '670к': { line: lineOf(readTable(table670k)), cycleMin: 38, boardingsPerLap: 22 },
  '156к': {
    line: lineOf(shortWorking('156к', long, { from: 14, turn: 25, to: 34 })),
    cycleMin: 46,
    boardingsPerLap: 26,
  },
} as const satisfies Record<string, Working>;

export type LineName = keyof typeof lines;

export interface Working {
  line: Line;
  /** Time between departures from the first terminal, layovers included, minutes. */
  cycleMin: number;
  /** Passengers of an ordinary lap, before the factors of hour and day. */
  boardingsPerLap: number;
}

interface JsonTable {
  name: string;
  firstReverse: number;
  stops: (string | number)[][];
  track: number[][];
}

function readTable(table: JsonTable) {
  return {
    name: table.name,
    firstReverse: table.firstReverse,
    stops: table.stops.map(([index, name]) => [Number(index), String(name)] as const),
    track: table.track.map(([latitude = 0, longitude = 0]) => [latitude, longitude] as const),
  };
}
