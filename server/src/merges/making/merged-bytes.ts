import type { PartFile } from './merge-part.ts';
import type { ByteSource } from './merge-plan.ts';

export interface WrittenPart {
  readonly file: PartFile;
  readonly sources: readonly ByteSource[];
}

/** The bytes of a merged video, read from its parts on demand. @param head the bytes before the samples */
export async function* mergedBytes(
  head: Buffer,
  parts: readonly WrittenPart[],
): AsyncGenerator<Buffer> {
  yield head;
  for (const part of parts) yield* partBytes(part);
}

// Each file is read once, from its first range to its last.
async function* partBytes({ file, sources }: WrittenPart): AsyncGenerator<Buffer> {
  const ranges = sources.filter((source) => !Buffer.isBuffer(source) && source.to > source.from);
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (
    first === undefined ||
    last === undefined ||
    Buffer.isBuffer(first) ||
    Buffer.isBuffer(last)
  ) {
    return;
  }
  const stream = await file.read({ from: first.from, to: last.to - 1 });
  try {
    const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
    let chunk: Buffer = Buffer.alloc(0);
    let chunkAt = first.from;
    for (const source of sources) {
      if (Buffer.isBuffer(source)) {
        yield source;
        continue;
      }
      for (let at = source.from; at < source.to; ) {
        while (chunkAt + chunk.length <= at) {
          chunkAt += chunk.length;
          const next = await chunks.next();
          if (next.done) throw new Error('A file of the merge is shorter than planned.');
          chunk = next.value;
        }
        const end = Math.min(source.to, chunkAt + chunk.length);
        yield chunk.subarray(at - chunkAt, end - chunkAt);
        at = end;
      }
    }
  } finally {
    stream.destroy();
  }
}
