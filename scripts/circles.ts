// Circles of rooms: rooms that import each other, directly or through others.

/**
 * Finds the strongly connected components of more than one room (Tarjan, 1972).
 * @param imports the rooms that each room imports
 * @returns the rooms of each circle, by name
 */
export function findCircles(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const circles: string[][] = [];
  const numbers = new Map<string, number>();
  // The least number that a room reaches through rooms that are still on the path.
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const visit = (room: string): void => {
    const number = numbers.size;
    numbers.set(room, number);
    lowest.set(room, number);
    path.push(room);
    for (const next of imports.get(room) ?? []) {
      if (!numbers.has(next)) visit(next);
      if (path.includes(next)) {
        lowest.set(room, Math.min(lowest.get(room) ?? number, lowest.get(next) ?? number));
      }
    }
    if (lowest.get(room) !== number) return;
    const circle = path.splice(path.indexOf(room));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const room of imports.keys()) if (!numbers.has(room)) visit(room);
  return circles;
}
