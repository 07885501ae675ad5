import type { ResourceLimits } from 'node:worker_threads';

/** Objects that have just been made, MB: more would be kept by each thread, and hardly saves time. */
const YOUNG_MB = 48;

/**
 * The memory of a thread. Node ends a thread that exceeds it.
 * @param heapMb most objects that live on, MB
 */
export function threadMemory(heapMb: number): ResourceLimits {
  return { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB };
}
