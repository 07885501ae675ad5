/** The box of a note beside a mark, px on the map. */
export interface NoteBox {
  readonly id: string;
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly weight: number;
}

/**
 * Selects notes that do not overlap; of two the heavier one stays.
 * @param boxes of equal weight the earlier one stays
 */
export function notesWithRoom(boxes: readonly NoteBox[]): Set<string> {
  const shown: NoteBox[] = [];
  for (const box of [...boxes].sort((a, b) => b.weight - a.weight)) {
    if (!shown.some((other) => overlap(box, other))) shown.push(box);
  }
  return new Set(shown.map(({ id }) => id));
}

function overlap(a: NoteBox, b: NoteBox): boolean {
  return (
    a.leftPx < b.leftPx + b.widthPx &&
    b.leftPx < a.leftPx + a.widthPx &&
    a.topPx < b.topPx + b.heightPx &&
    b.topPx < a.topPx + a.heightPx
  );
}
