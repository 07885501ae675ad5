// Requests as a phone or a counter makes them in the OsmAnd form. It shares nothing with the server: each reads the
// descriptions of the form by itself.

export interface OsmandPosition {
  /** ms since 1970 UTC. */
  readonly timeMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number;
  /** Degrees clockwise from north. */
  readonly course: number;
  readonly hdop?: number;
}

/** People at a door since its last count. */
export interface OsmandPeople {
  /** ms since 1970 UTC. */
  readonly timeMs: number;
  /** From 1. */
  readonly door: number;
  readonly entered: number;
  readonly exited: number;
}

export type OsmandRecord = OsmandPosition | OsmandPeople;

const KMH_PER_KNOT = 1.852;
const KMH_PER_MS = 3.6;
/** So that a tenth of a km/h is the same again. */
const SPEED_DECIMALS = 3;

/** The fields of a record in the query form, whose speeds are knots. */
export function osmandQuery(id: string, record: OsmandRecord): URLSearchParams {
  const { timeMs, ...more } = record;
  const said = 'door' in more ? counters(more) : place(more, KMH_PER_KNOT);
  const fields = Object.entries({ id, timestamp: timeMs, ...said });
  return new URLSearchParams(
    fields.map(([name, value]): [string, string] => [name, String(value)]),
  );
}

/** The body of records in JSON, whose speeds are m/s: one as Traccar Client 9 sends it, several as a list. */
export function osmandJson(id: string, records: readonly OsmandRecord[]): object {
  const locations = records.map((record) => {
    const { timeMs, ...more } = record;
    const timestamp = new Date(timeMs).toISOString();
    if ('door' in more) return { timestamp, extras: counters(more) };
    const { lat, lon, speed, bearing, ...rest } = place(more, KMH_PER_MS);
    return {
      timestamp,
      coords: { latitude: lat, longitude: lon, speed, heading: bearing, ...rest },
    };
  });
  return { device_id: id, location: locations.length === 1 ? locations[0] : locations };
}

function place(
  { latitude, longitude, speedKmh, course, hdop }: Omit<OsmandPosition, 'timeMs'>,
  kmhInOne: number,
) {
  const speed = Number((speedKmh / kmhInOne).toFixed(SPEED_DECIMALS));
  const quality = hdop === undefined ? {} : { hdop };
  return { lat: latitude, lon: longitude, speed, bearing: course, ...quality };
}

const counters = ({ door, entered, exited }: Omit<OsmandPeople, 'timeMs'>) => ({
  ...{ in: entered, out: exited, door },
});
