const LETTERS = 26;

/** The name of a column in spreadsheets, from 0: A to Z, then AA. */
export function letterOf(column: number): string {
  const last = String.fromCharCode('A'.charCodeAt(0) + (column % LETTERS));
  return column < LETTERS ? last : `${letterOf(Math.floor(column / LETTERS) - 1)}${last}`;
}
