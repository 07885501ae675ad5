import { createContext, useContext, useDeferredValue, useEffect, useRef, useState } from 'react';

/** From this speed on nobody reads the rows, rows per ms. */
const FAST = 0.04;
/** The scrolling has ended, or is slow, after this long without fast steps, ms. */
export const CALM_MS = 100;

/**
 * Tells at each step of scrolling whether it is too fast to read.
 * @param rowHeight px
 * @returns takes the time of the step, ms
 */
export function watchSpeed(rowHeight: number): (timeMs: number) => boolean {
  let last = { top: window.scrollY, ms: 0 };
  return (timeMs) => {
    const step = Math.abs(window.scrollY - last.top);
    const isFast = step > FAST * rowHeight * (timeMs - last.ms);
    last = { top: window.scrollY, ms: timeMs };
    return isFast;
  };
}

/** Whether the page scrolls so fast that rows show names only. */
export const FastContext = createContext(false);

/**
 * Whether the page scrolls too fast to read it.
 * @param rowHeight px
 */
export function useIsFast(rowHeight: number): boolean {
  const [isFast, setFast] = useState(false);
  useEffect(() => {
    const isStepFast = watchSpeed(rowHeight);
    let calm: ReturnType<typeof setTimeout> | undefined;
    const onScroll = ({ timeStamp }: Event) => {
      if (!isStepFast(timeStamp)) return;
      setFast(true);
      clearTimeout(calm);
      calm = setTimeout(() => setFast(false), CALM_MS);
    };
    // Before the list renders: after that, to read the position would cost a layout.
    window.addEventListener('scroll', onScroll, { passive: true, capture: true });
    return () => {
      window.removeEventListener('scroll', onScroll, { capture: true });
      clearTimeout(calm);
      setFast(false);
    };
  }, [rowHeight]);
  return isFast;
}

/**
 * What a row shows besides its name: a key in the search, and scrolling, render the names first, and the rest as soon as
 * they are painted; while the page scrolls too fast to read, names only.
 * @returns undefined until the first details; an earlier value until those of this one
 */
export function useKnown<T>(value: T): T | undefined {
  const isFast = useContext(FastContext);
  // Not a state: to set it would render each row twice, and all rows change with a key in the search.
  const wanted = useRef<T>(undefined);
  if (!isFast) wanted.current = value;
  return useDeferredValue(wanted.current, undefined);
}
