// Stops from the places where buses stood. A stay belongs to each leg that it touches, so that both terminals are stops
// of both directions; stays of one direction near each other are one stop, in the order in which the legs reach them.
import type { RouteDirection } from '@ridewatch/contract/laps';
import { degreesEast, eastOf, type Place, planeAt } from '../../laps/engine/geometry/plane.ts';

/** The bus stood, or called at a stop briefly. */
export interface Stay extends Place {
  readonly startMs: number;
  readonly endMs: number;
  /** How many got on and off. */
  readonly people: number;
}

/** One direction of a lap. */
export interface Leg {
  readonly direction: RouteDirection;
  readonly startMs: number;
  readonly endMs: number;
}

/** A place where buses of one direction stand. */
export interface StoodAt extends Place {
  readonly routeDirection: RouteDirection;
  readonly visits: number;
  readonly people: number;
}

/** The length of a queue at a crossing, or of two buses at one stop. */
const SAME_STOP_M = 50;
/** A leg begins and ends within this time of its terminal's stay. */
const SLACK_MS = 60_000;

/** The places where a bus stood on its legs. @param legs none: everything is one leg */
export function placesStoodAt(stays: readonly Stay[], legs: readonly Leg[]): StoodAt[] {
  const ordered = [...stays].sort((a, b) => a.startMs - b.startMs);
  const whole: Leg = {
    direction: 'FORWARD',
    startMs: ordered[0]?.startMs ?? 0,
    endMs: ordered.at(-1)?.endMs ?? 0,
  };
  const clusters: Cluster[] = [];
  for (const leg of legs.length > 0 ? legs : [whole]) {
    for (const stay of ordered) {
      if (stay.startMs > leg.endMs + SLACK_MS || stay.endMs < leg.startMs - SLACK_MS) continue;
      add(clusters, stay, leg);
    }
  }
  const rank = { FORWARD: 0, REVERSE: 1 };
  return clusters
    .sort((a, b) => rank[a.routeDirection] - rank[b.routeDirection] || a.along - b.along)
    .map(({ along, ...place }) => place);
}

/** Without places where nobody got on or off and the bus stood only once: a crossing, a barrier. */
export function withoutChance(places: readonly StoodAt[]): StoodAt[] {
  const sure = places.filter(({ visits, people }) => visits > 1 || people > 0);
  return sure.length >= 2 ? sure : [...places];
}

interface Cluster extends StoodAt {
  /** Average position along its leg, 0 to 1. */
  readonly along: number;
}

function add(clusters: Cluster[], stay: Stay, { direction, startMs, endMs }: Leg): void {
  const middle = (stay.startMs + stay.endMs) / 2;
  const along = Math.max(0, Math.min(1, (middle - startMs) / Math.max(endMs - startMs, 1)));
  const plane = planeAt(stay);
  let index = -1;
  let nearestM = SAME_STOP_M;
  for (const [n, one] of clusters.entries()) {
    if (one.routeDirection !== direction) continue;
    const metres = Math.hypot(plane.xOf(one.longitude), plane.yOf(one.latitude));
    if (metres > nearestM || (metres === nearestM && index >= 0)) continue;
    index = n;
    nearestM = metres;
  }
  const cluster = clusters[index];
  if (cluster === undefined) {
    const { latitude, longitude, people } = stay;
    clusters.push({ latitude, longitude, people, visits: 1, along, routeDirection: direction });
    return;
  }
  const visits = cluster.visits + 1;
  const mean = (was: number, is: number): number => was + (is - was) / visits;
  clusters[index] = {
    ...cluster,
    visits,
    people: cluster.people + stay.people,
    latitude: mean(cluster.latitude, stay.latitude),
    longitude: eastOf(cluster.longitude, degreesEast(cluster.longitude, stay.longitude) / visits),
    along: mean(cluster.along, along),
  };
}
