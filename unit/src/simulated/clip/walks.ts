import { HEIGHT } from './frame.ts';
import type { Crossing, DoorScene } from './scene.ts';
import { seeded } from './seeded.ts';

/** The line in the frame that a head crosses; the street lies above it, the bus below. */
export const SILL_Y = 118;

/** A person's walk through the door; distances are pixels along the path to the sill. */
export interface Walk {
  crossing: Crossing;
  /** Place of the crossing, pixels from the left. */
  laneX: number;
  /** Place in the queue before the door, pixels from the left. */
  lineX: number;
  /** Turn after the door: −1 left, 1 right. */
  side: -1 | 1;
  /** Duration of the stand before the door, and distance from the sill. */
  waitMs: number;
  restPx: number;
  /** Index of the person in front in the same queue, and the gap to them. */
  ahead: number | undefined;
  gapPx: number;
  /** Selects clothes and gait, [0, 1). */
  look: number;
}

/** A person's place at a moment; `x`, `y` is the middle of the head. */
export interface Place {
  walk: Walk;
  x: number;
  y: number;
  /** Signed distance to the sill: positive before it, negative after it. */
  distancePx: number;
}

const PACE_PX_PER_MS = 0.11;
const LANES = [100, 160, 220] as const;
const MIDDLE_X = 160;
const ROOM_PX = { adult: 48, child: 40 };
const REST_PX = { entered: 66, exited: 54 };
/** Two people who meet head-on in one lane need this time to pass, ms. */
const MEETING_MS = 1400;
const OUT_OF_SIGHT_PX = 200;
/** From this number on, people of one direction queue before the door opens; fewer walk up one by one. */
const QUEUE = 7;

/**
 * Chooses a waiting place and a lane for everybody in a scene, so that people keep the distance that the given moments
 * allow.
 * @returns in order of crossing
 */
export function planWalks(scene: DoorScene): Walk[] {
  const random = seeded(scene.seed);
  const walks: Walk[] = [];
  const inOrder = [...scene.crossings].sort((one, other) => one.atMs - other.atMs);
  const queues = (['entered', 'exited'] as const).filter(
    (way) => inOrder.filter(({ direction }) => direction === way).length >= QUEUE,
  );
  for (const crossing of inOrder) {
    const laneX = chooseLane(crossing, walks, random);
    const entering = crossing.direction === 'entered';
    const side = laneX === MIDDLE_X ? coin(random) : sideOf(laneX);
    const found = walks.findLastIndex((walk) => sameLine(walk, crossing, laneX, side));
    const stoodBefore = queues.includes(crossing.direction);
    const ahead = found < 0 ? undefined : found;
    const room = ROOM_PX[crossing.passenger];
    const sinceAhead = crossing.atMs - (walks[found]?.crossing.atMs ?? Number.NEGATIVE_INFINITY);
    const sinceOpen = crossing.atMs - scene.doorOpenMs;
    walks.push({
      crossing,
      laneX,
      lineX: entering ? MIDDLE_X + side * 116 : laneX,
      side,
      waitMs: stoodBefore || sinceOpen < 3000 ? sinceOpen + 400 + random() * 5000 : random() * 500,
      restPx: REST_PX[crossing.direction] + random() * 6,
      ahead,
      // People walk closer than their room if the second would otherwise miss the given moment.
      gapPx: Math.min(room, PACE_PX_PER_MS * sinceAhead),
      look: random(),
    });
  }
  return walks;
}

/** The places of people at a moment, without those far outside the frame. */
export function placesAt(walks: readonly Walk[], momentMs: number): Place[] {
  const distances: number[] = [];
  const places: Place[] = [];
  for (const walk of walks) {
    const alone = distanceAlone(walk, walk.crossing.atMs - momentMs);
    const inLine = walk.ahead === undefined ? alone : (distances[walk.ahead] ?? 0) + walk.gapPx;
    const distancePx = Math.max(alone, inLine);
    distances.push(distancePx);
    if (Math.abs(distancePx) > OUT_OF_SIGHT_PX) continue;
    const towardsBus = walk.crossing.direction === 'entered' ? 1 : -1;
    const y = SILL_Y - towardsBus * distancePx;
    if (y < -60 || y > HEIGHT + 60) continue;
    places.push({ walk, x: acrossAt(walk, distancePx), y, distancePx });
  }
  return places;
}

function distanceAlone(walk: Walk, leftMs: number): number {
  const stepMs = walk.restPx / PACE_PX_PER_MS;
  if (leftMs <= stepMs) return leftMs * PACE_PX_PER_MS;
  return walk.restPx + Math.max(0, leftMs - stepMs - walk.waitMs) * PACE_PX_PER_MS;
}

// Boarding people wait beside the door and turn aside after it; alighting ones walk straight, so that both have room.
function acrossAt(walk: Walk, distancePx: number): number {
  const sway = 1.5 * Math.sin(distancePx / 9 + walk.look * 6);
  if (distancePx > 0) {
    const share = Math.min(1, Math.max(0, (distancePx - 12) / (walk.restPx - 12)));
    const eased = share * share * (3 - 2 * share);
    return walk.laneX + (walk.lineX - walk.laneX) * eased + sway;
  }
  const behind = Math.max(0, -distancePx - 8);
  if (walk.crossing.direction === 'entered') return walk.laneX + walk.side * behind * 0.85 + sway;
  return walk.laneX + (MIDDLE_X - walk.laneX) * Math.min(0.4, behind / 200) + sway;
}

function chooseLane(crossing: Crossing, walks: readonly Walk[], random: () => number): number {
  let best: { lane: number; cost: number } = { lane: LANES[1], cost: Number.POSITIVE_INFINITY };
  for (const lane of LANES) {
    const wantsMiddle = crossing.direction === 'exited';
    const unusual = wantsMiddle === (lane === MIDDLE_X) ? 0 : 2;
    let cost = unusual + random() * 0.6;
    for (const walk of walks) cost += crowding(crossing, lane, walk);
    if (cost < best.cost) best = { lane, cost };
  }
  return best.lane;
}

function crowding(crossing: Crossing, lane: number, other: Walk): number {
  const apartMs = crossing.atMs - other.crossing.atMs;
  if (lane !== other.laneX) {
    const besides = Math.abs(lane - other.laneX) < 100;
    return besides && apartMs < 300 ? 0.5 : 0;
  }
  if (crossing.direction !== other.crossing.direction) {
    return apartMs < MEETING_MS ? 3 + 8 * (1 - apartMs / MEETING_MS) : 0;
  }
  const needMs = (ROOM_PX[crossing.passenger] + 6) / PACE_PX_PER_MS;
  return apartMs < needMs ? 5 + 20 * (1 - apartMs / needMs) : 0;
}

function sameLine(walk: Walk, crossing: Crossing, laneX: number, side: -1 | 1): boolean {
  if (walk.crossing.direction !== crossing.direction) return false;
  return crossing.direction === 'entered' ? walk.side === side : walk.laneX === laneX;
}

function sideOf(laneX: number): -1 | 1 {
  return laneX < MIDDLE_X ? -1 : 1;
}

function coin(random: () => number): -1 | 1 {
  return random() < 0.5 ? -1 : 1;
}
