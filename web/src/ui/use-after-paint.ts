import { useEffect, useState } from 'react';

/** How long a screen is left alone after its paint, ms. */
const QUIET_MS = 300;

/**
 * Whether a screen has been painted for a moment: what it needs only then does not delay what it shows first.
 * @param isShown whether the screen has what it shows first
 */
export function useAfterPaint(isShown: boolean): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    if (!isShown) return;
    let task: ReturnType<typeof setTimeout> | undefined;
    // A task that starts in a frame runs after its paint.
    const frame = requestAnimationFrame(() => {
      task = setTimeout(() => setPainted(true), QUIET_MS);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(task);
    };
  }, [isShown]);
  return isPainted;
}
