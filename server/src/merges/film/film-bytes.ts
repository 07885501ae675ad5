import type { PartFile } from './film-part.ts';
import type { Piece } from './film-plan.ts';

export interface WrittenPart {
  readonly file: PartFile;
  readonly pieces: readonly Piece[];
}

/**
 * The bytes of a film, read from its parts as they are asked for.
 * @param head what stands in front
 */
export async function* filmBytes(
  head: Buffer,
  parts: readonly WrittenPart[],
): AsyncGenerator<Buffer> {
  yield head;
  for (const part of parts) yield* partBytes(part);
}

// Each file is read once from its first piece to its last.
async function* partBytes({ file, pieces }: WrittenPart): AsyncGenerator<Buffer> {
  const stretches = pieces.filter((piece) => !Buffer.isBuffer(piece) && piece.to > piece.from);
  const [first, last] = [stretches[0], stretches.at(-1)];
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
    for (const piece of pieces) {
      if (Buffer.isBuffer(piece)) {
        yield piece;
        continue;
      }
      for (let at = piece.from; at < piece.to; ) {
        while (chunkAt + chunk.length <= at) {
          chunkAt += chunk.length;
          const next = await chunks.next();
          if (next.done) throw new Error('a part is shorter than it was');
          chunk = next.value;
        }
        const end = Math.min(piece.to, chunkAt + chunk.length);
        yield chunk.subarray(at - chunkAt, end - chunkAt);
        at = end;
      }
    }
  } finally {
    stream.destroy();
  }
}
