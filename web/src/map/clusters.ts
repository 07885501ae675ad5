/** A place on the screen, px. */
export interface ScreenPoint {
  readonly x: number;
  readonly y: number;
}

/**
 * Groups places of which one would cover another.
 * @param points in their order; the first place of a group is where the group is
 * @param reachPx a place this close to the first one belongs to its group
 */
export function clustersOf<Point extends ScreenPoint>(
  points: readonly Point[],
  reachPx: number,
): Point[][] {
  const clusters: Point[][] = [];
  // By squares of the side of the reach: a group that is near begins in one of nine.
  const begun = new Map<string, Point[][]>();
  const squareOf = ({ x, y }: ScreenPoint) => [Math.floor(x / reachPx), Math.floor(y / reachPx)];
  for (const point of points) {
    const [column = 0, line = 0] = squareOf(point);
    const near = around(column, line)
      .flatMap((key) => begun.get(key) ?? [])
      .find(([first]) => first && Math.hypot(first.x - point.x, first.y - point.y) <= reachPx);
    if (near) {
      near.push(point);
      continue;
    }
    const cluster = [point];
    clusters.push(cluster);
    const key = `${column} ${line}`;
    const others = begun.get(key);
    if (others) others.push(cluster);
    else begun.set(key, [cluster]);
  }
  return clusters;
}

const STEPS = [0, -1, 1] as const;

function around(column: number, line: number): string[] {
  return STEPS.flatMap((across) => STEPS.map((down) => `${column + across} ${line + down}`));
}
