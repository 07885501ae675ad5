// Bytes that arrive in parts. Each part is a buffer of its own, which takes a hundred bytes beside its own: a sender of
// single bytes would take a hundred times what a limit of bytes allows.

/** Least memory, bytes: small bodies come in one part. */
const LEAST_BYTES = 1024;

/** Bytes in one memory that grows. */
export interface GatheredBytes {
  /** So many are there. */
  readonly length: number;
  /** Copies a part to the end. The caller refuses what exceeds the limit. */
  add(part: Uint8Array): void;
  /** All of them, as a view. */
  whole(): Buffer;
}

/** Begins with none. @param mostBytes the memory never exceeds it, unless the bytes do */
export function gatherBytes(mostBytes: number): GatheredBytes {
  let memory = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    add: (part) => {
      const wanted = length + part.length;
      if (wanted > memory.length) {
        const grown = Math.min(Math.max(2 * memory.length, LEAST_BYTES), mostBytes);
        const larger = Buffer.allocUnsafeSlow(Math.max(wanted, grown));
        memory.copy(larger, 0, 0, length);
        memory = larger;
      }
      memory.set(part, length);
      length = wanted;
    },
    whole: () => memory.subarray(0, length),
  };
}
