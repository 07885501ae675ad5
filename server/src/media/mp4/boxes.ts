// Writes MP4 boxes (ISO/IEC 14496-12).

/** A box of some contents. */
export function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const length = contents.reduce((sum, content) => sum + content.length, 8);
  return Buffer.concat([numbers(length), Buffer.from(type, 'latin1'), ...contents], length);
}

/** Numbers of 32 bits; negative ones in two's complement. */
export function numbers(...values: readonly number[]): Buffer {
  return tableOf(values);
}

/** As `numbers`, of any length. */
export function tableOf(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}

/** Numbers of 64 bits. */
export function longNumbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64BE(BigInt(value), index * 8);
  return bytes;
}

/** A run-length list of values, as MP4 stores times. */
export class Runs {
  readonly #pairs: number[] = [];

  add(value: number): void {
    const last = this.#pairs.length - 1;
    if (last > 0 && this.#pairs[last] === value) this.#pairs[last - 1] = this.#timesAt(last) + 1;
    else this.#pairs.push(1, value);
  }

  get hasNegative(): boolean {
    return this.#pairs.some((value) => value < 0);
  }

  /** Whether only this value was added. */
  isOnly(value: number): boolean {
    return this.#pairs.length === 0 || (this.#pairs.length === 2 && this.#pairs[1] === value);
  }

  /** The content of a table after version and flags. */
  toBuffer(): Buffer {
    return Buffer.concat([numbers(this.#pairs.length / 2), tableOf(this.#pairs)]);
  }

  #timesAt(last: number): number {
    return this.#pairs[last - 1] ?? 0;
  }
}
