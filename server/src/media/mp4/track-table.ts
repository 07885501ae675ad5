import { box, longNumbers, numbers, Runs, tableOf } from './boxes.ts';

/** Consecutive samples are one chunk with one offset. Larger chunks would make players read far to reach a sample. */
const MOST_IN_CHUNK = 64;

/** Offsets and durations of the samples of a track: the sample table of an MP4 (ISO/IEC 14496-12, section 8.6). */
export class TrackTable {
  readonly #ticks = new Runs();
  readonly #shifts = new Runs();
  readonly #sizes: Buffer[] = [];
  readonly #keys: number[] = [];
  /** Offset of each chunk from the start of the data, and its number of samples. */
  readonly #chunks: { at: number; count: number; end: number }[] = [];
  #newSizes: number[] = [];
  #count = 0;
  /** In ticks of the track. */
  duration = 0;

  get count(): number {
    return this.#count;
  }

  /** @param at offset from the start of the data */
  add(sample: { at: number; size: number; ticks: number; shift: number; isKey: boolean }): void {
    const { at, size, ticks, shift, isKey } = sample;
    this.#ticks.add(ticks);
    this.#shifts.add(shift);
    this.#newSizes.push(size);
    this.#count += 1;
    this.duration += ticks;
    if (isKey) this.#keys.push(this.#count);
    const chunk = this.#chunks.at(-1);
    if (chunk?.end === at && chunk.count < MOST_IN_CHUNK) {
      chunk.count += 1;
      chunk.end += size;
    } else {
      this.#chunks.push({ at, count: 1, end: at + size });
    }
  }

  /** Compacts what was added; a day has millions of samples. */
  pack(): void {
    this.#sizes.push(tableOf(this.#newSizes));
    this.#newSizes = [];
  }

  /**
   * The table's box.
   * @param entry the sample entry
   * @param dataAt offset of the data in the file
   * @param isLong with 64-bit offsets
   */
  toBox(entry: Buffer, dataAt: number, isLong: boolean): Buffer {
    this.pack();
    const places = this.#chunks.map(({ at }) => dataAt + at);
    const count = numbers(places.length);
    const isAllKeys = this.#keys.length === this.#count;
    return box(
      'stbl',
      box('stsd', numbers(0, 1), entry),
      box('stts', numbers(0), this.#ticks.toBuffer()),
      ...(this.#shifts.isOnly(0)
        ? []
        : [box('ctts', numbers(this.#shifts.hasNegative ? 1 << 24 : 0), this.#shifts.toBuffer())]),
      ...(isAllKeys ? [] : [box('stss', numbers(0, this.#keys.length), tableOf(this.#keys))]),
      box('stsc', numbers(0), this.#perChunk()),
      box('stsz', numbers(0, 0, this.#count), ...this.#sizes),
      isLong
        ? box('co64', numbers(0), count, longNumbers(places))
        : box('stco', numbers(0), count, tableOf(places)),
    );
  }

  // The first chunk of each run with the same number of samples.
  #perChunk(): Buffer {
    const rows: number[] = [];
    let before = 0;
    for (const [index, { count }] of this.#chunks.entries()) {
      if (count !== before) rows.push(index + 1, count, 1);
      before = count;
    }
    return Buffer.concat([numbers(rows.length / 3), tableOf(rows)]);
  }
}
