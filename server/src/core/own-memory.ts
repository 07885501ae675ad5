/**
 * The bytes in memory of their own. Node allocates small buffers from pools of 64 KiB (Buffer.poolSize), and one buffer
 * that is cached keeps its whole pool.
 * @returns the same buffer when it has its memory alone, otherwise a copy
 */
export function inOwnMemory(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
