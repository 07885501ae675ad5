// Circles of rooms: rooms that import each other, directly or through others.

/**
 * Finds the strongly connected components of more than one room (Tarjan, 1972).
 * @param {ReadonlyMap<string, ReadonlySet<string>>} imports the rooms that each room imports
 * @returns {string[][]} the rooms of each circle, by name
 */
export function findCircles(imports) {
  const circles = [];
  const numbers = new Map();
  // The least number that a room reaches through rooms that are still on the path.
  const lowest = new Map();
  const path = [];
  const visit = (room) => {
    numbers.set(room, numbers.size);
    lowest.set(room, numbers.get(room));
    path.push(room);
    for (const next of imports.get(room) ?? []) {
      if (!numbers.has(next)) visit(next);
      if (path.includes(next)) {
        lowest.set(room, Math.min(lowest.get(room), lowest.get(next)));
      }
    }
    if (lowest.get(room) !== numbers.get(room)) return;
    const circle = path.splice(path.indexOf(room));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const room of imports.keys()) if (!numbers.has(room)) visit(room);
  return circles;
}
