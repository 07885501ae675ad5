import { box, longNumbers, numbers, Runs, tableOf } from './boxes.ts';

/** Samples that lie one behind the other are found by one place; more would make a player read long ways. */
const MOST_IN_CHUNK = 64;

/** Where the samples of a track lie and how long each lasts: the table of an MP4 (ISO/IEC 14496-12, section 8.6). */
export class TrackTable {
  readonly #ticks = new Runs();
  readonly #shifts = new Runs();
  readonly #sizes: Buffer[] = [];
  readonly #keys: number[] = [];
  /** Place of each chunk, from the beginning of the data, and how many samples it has. */
  readonly #chunks: { at: number; count: number; end: number }[] = [];
  #newSizes: number[] = [];
  #count = 0;
  /** In ticks of the track. */
  duration = 0;

  get count(): number {
    return this.#count;
  }

  /** @param at where it lies, from the beginning of the data */
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

  /** Packs what was added; a day has millions of samples. */
  pack(): void {
    this.#sizes.push(tableOf(this.#newSizes));
    this.#newSizes = [];
  }

  /**
   * The table's box.
   * @param entry how the samples are coded
   * @param dataAt where the data begin in the file
   * @param isLong with places of 64 bits
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

  // From which chunk on so many samples are in each.
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
