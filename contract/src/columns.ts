// Columns of numbers, one value a row. Each kind of column has its own reader, because V8 runs a reader of several
// kinds on its slow path (docs/decisions/035-libraries.md has the figures).

/** The value of a column in a row; NaN where it has no such row. */
export function f64(column: Float64Array, row: number): number {
  return column[row] ?? Number.NaN;
}

/** The value of a column of whole numbers in a row; NaN where it has no such row. */
export function i32(column: Int32Array | Uint32Array, row: number): number {
  return column[row] ?? Number.NaN;
}

/** The value of a column of bytes in a row; NaN where it has no such row. */
export function u8(column: Uint8Array, row: number): number {
  return column[row] ?? Number.NaN;
}

/** The value of a list at a place; NaN where it has no such place. */
export function num(list: readonly number[], place: number): number {
  return list[place] ?? Number.NaN;
}
