/** A box, px on the map. */
export interface MapBox {
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The box of a note beside a mark. */
export interface NoteBox extends MapBox {
  readonly id: string;
  readonly weight: number;
}

const NOTE_GAP_PX = 10;
const NOTE_HEIGHT_PX = 22;

/**
 * Places a note beside its mark: on the right, or on the left where the right has no room.
 * @param at the middle of the mark, px on the map
 * @param widthPx of the note
 * @param mapPx width of the map
 * @param covers boxes that lie over the map
 * @returns undefined where neither side has room
 */
export function boxBeside(
  at: { readonly x: number; readonly y: number },
  widthPx: number,
  mapPx: number,
  covers: readonly MapBox[],
): (MapBox & { readonly side: 'left' | 'right' }) | undefined {
  const boxOn = (side: 'left' | 'right') => ({
    side,
    leftPx: side === 'right' ? at.x + NOTE_GAP_PX : at.x - NOTE_GAP_PX - widthPx,
    topPx: at.y - NOTE_HEIGHT_PX / 2,
    widthPx,
    heightPx: NOTE_HEIGHT_PX,
  });
  return [boxOn('right'), boxOn('left')].find(
    (box) =>
      box.leftPx >= 0 &&
      box.leftPx + widthPx <= mapPx &&
      !covers.some((cover) => overlap(box, cover)),
  );
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

function overlap(a: MapBox, b: MapBox): boolean {
  return (
    a.leftPx < b.leftPx + b.widthPx &&
    b.leftPx < a.leftPx + a.widthPx &&
    a.topPx < b.topPx + b.heightPx &&
    b.topPx < a.topPx + a.heightPx
  );
}
