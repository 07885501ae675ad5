/** Colours of the palette (spec section 9). */
const SIZE = 500;
/** The first colours, in the order of the drawings. */
const FIRST = [
  '#2b63f0',
  '#0f9b66',
  '#e0721a',
  '#8a3fd1',
  '#0b93b5',
  '#c9317f',
  '#7b7f12',
  '#5a6b8c',
  '#b0402e',
  '#3d8f3d',
];
/** Steps of the hue by the golden angle, degrees: neighbours differ most. */
const GOLDEN_ANGLE = 137.508;

/** The colour of the series at a place; after 500 they repeat. */
export function colourOf(place: number): string {
  const at = place % SIZE;
  // Lines are read on white and on nearly black: of middle lightness, and not too pale.
  const hue = ((at * GOLDEN_ANGLE) % 360).toFixed(1);
  return FIRST[at] ?? `hsl(${hue} ${55 + (at % 3) * 12}% ${44 + (at % 4) * 5}%)`;
}
