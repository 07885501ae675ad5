// Simulates demand. People ride to work and home by the metro, to school, to the shops, to the doctor. The hour and the
// weekday decide the number of people by reason; the reason decides the stops.
import type { Attraction, LineStop } from './line.ts';
import type { Chance } from './random.ts';

export interface Passenger {
  /** Indexes of stops within one lap; `to` is always later than `from`. */
  from: number;
  to: number;
  kind: 'adult' | 'child';
  reason: Reason;
}

type Reason = 'work' | 'home' | 'school' | 'errand';

/** Share of an ordinary lap's passengers by local hour, on working days and on days off. */
const WORKDAY = [
  0.06, 0.04, 0.03, 0.03, 0.06, 0.25, 0.75, 1.5, 1.75, 1.15, 0.8, 0.75, 0.85, 0.9, 0.95, 1.05, 1.3,
  1.65, 1.6, 1.1, 0.7, 0.5, 0.3, 0.14,
];
const DAY_OFF = [
  0.08, 0.05, 0.03, 0.03, 0.04, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1, 1.05, 1.05, 1, 0.95, 0.95, 0.9,
  0.8, 0.65, 0.5, 0.4, 0.28, 0.16,
];

/** Attraction of each kind of stop as a destination, and as an origin, by reason. */
const pull: Record<Reason, Record<Attraction, number>> = {
  work: { metro: 8, school: 0.5, shops: 1, health: 0.8, homes: 0.4 },
  home: { metro: 0.6, school: 0.6, shops: 0.4, health: 0.4, homes: 1.6 },
  school: { metro: 0.5, school: 6, shops: 0.3, health: 0.2, homes: 0.5 },
  errand: { metro: 1.6, school: 0.6, shops: 2.6, health: 2.2, homes: 1 },
};
const source: Record<Reason, Record<Attraction, number>> = {
  work: { metro: 0.5, school: 0.5, shops: 0.5, health: 0.4, homes: 1.4 },
  home: { metro: 8, school: 0.6, shops: 1.2, health: 0.6, homes: 0.5 },
  school: { metro: 0.7, school: 0.8, shops: 0.4, health: 0.3, homes: 1.3 },
  errand: { metro: 1.4, school: 0.7, shops: 1.8, health: 1.6, homes: 1 },
};
const CHILDREN: Record<Reason, number> = { work: 0, home: 0.04, school: 0.75, errand: 0.1 };

/** Share of rides through the far terminal: another bus is quicker. */
const THROUGH_FAR_TERMINAL = 0.02;
/** Length scale of rides, metres; and the length below which people walk. */
const RIDE_M = 3200;
const TOO_SHORT_M = 450;

/** Demand in a local hour as a share of an ordinary lap's. */
export function demandAt(hour: number, isDayOff: boolean): number {
  return (isDayOff ? DAY_OFF : WORKDAY)[hour] ?? 0;
}

interface Demand {
  readonly hour: number;
  readonly isDayOff: boolean;
  /** Expected people of the lap. */
  readonly boardings: number;
  readonly adultsOnly: boolean;
}

/** The waiting passengers of a lap, by stop. */
export function listPassengers(
  chance: Chance,
  stops: readonly LineStop[],
  { hour, isDayOff, boardings, adultsOnly }: Demand,
): Passenger[][] {
  const reasons = reasonsAt(hour, isDayOff);
  const names = Object.keys(reasons) as Reason[];
  const waiting: Passenger[][] = stops.map(() => []);
  // At the last stop of each direction people only get off.
  const origins = stops.map((stop, index) =>
    stops[index + 1]?.direction === stop.direction ? 1 : 0,
  );
  for (const reason of names) {
    const weights = stops.map((stop, i) => (origins[i] ?? 0) * source[reason][stop.attraction]);
    const count = chance.countOf(boardings * reasons[reason]);
    for (let n = 0; n < count; n++) {
      const from = chance.choose(weights);
      const to = chance.choose(destinations(stops, from, reason));
      if (from < 0 || to < 0) continue;
      const kind = !adultsOnly && chance.happens(CHILDREN[reason]) ? 'child' : 'adult';
      waiting[from]?.push({ from, to, kind, reason });
    }
  }
  return waiting;
}

function destinations(stops: readonly LineStop[], from: number, reason: Reason): number[] {
  const origin = stops[from];
  return stops.map((stop, index) => {
    if (origin === undefined || index <= from) return 0;
    const distanceM = stop.atM - origin.atM;
    const reach = (distanceM < TOO_SHORT_M ? 0.1 : 1) * Math.exp(-distanceM / RIDE_M);
    const through = stop.direction === origin.direction ? 1 : THROUGH_FAR_TERMINAL;
    return pull[reason][stop.attraction] * reach * through;
  });
}

/** Shares of the reasons; their sum is 1. */
function reasonsAt(hour: number, isDayOff: boolean): Record<Reason, number> {
  if (isDayOff) return { work: 0.1, home: 0.25, school: 0, errand: 0.65 };
  if (hour >= 5 && hour < 7) return { work: 0.75, home: 0.05, school: 0.02, errand: 0.18 };
  if (hour >= 7 && hour < 10) return { work: 0.58, home: 0.04, school: 0.2, errand: 0.18 };
  if (hour >= 13 && hour < 16) return { work: 0.1, home: 0.32, school: 0.16, errand: 0.42 };
  if (hour >= 16 && hour < 20) return { work: 0.06, home: 0.66, school: 0.03, errand: 0.25 };
  if (hour >= 20 || hour < 5) return { work: 0.06, home: 0.7, school: 0, errand: 0.24 };
  return { work: 0.18, home: 0.2, school: 0.04, errand: 0.58 };
}
