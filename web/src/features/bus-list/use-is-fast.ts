import {
  createContext,
  useContext,
  useDeferredValue,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** From this speed on nobody reads the rows, rows per ms. */
const FAST = 0.04;
/** The rows can be read after this long without fast steps, ms. */
const CALM_MS = 100;
/** A user who scrolls fast goes on before this, ms. */
const PAUSE_MS = 1500;

/** Whether the page scrolls so fast that rows show names only. */
export const FastContext = createContext(false);

/**
 * Whether the page scrolls too fast to read it.
 * @param rowHeight px
 */
export function useIsFast(rowHeight: number): boolean {
  return useFastUntil(rowHeight, CALM_MS);
}

/**
 * Whether the user scrolls fast, or did a moment ago: what takes long waits until the user pauses.
 * @param rowHeight px
 */
export function useIsScrolling(rowHeight: number): boolean {
  return useFastUntil(rowHeight, PAUSE_MS);
}

function useFastUntil(rowHeight: number, calmMs: number): boolean {
  const [isFast, setFast] = useState(false);
  // Its listener is there before that of the list, which registers in an effect: after the list has drawn, to read the
  // position would cost a layout.
  useLayoutEffect(() => {
    let last = { top: window.scrollY, ms: 0 };
    let calm: ReturnType<typeof setTimeout> | undefined;
    const onScroll = ({ timeStamp: ms }: Event) => {
      const step = Math.abs(window.scrollY - last.top);
      const isStepFast = step > FAST * rowHeight * (ms - last.ms);
      last = { top: window.scrollY, ms };
      if (!isStepFast) return;
      setFast(true);
      clearTimeout(calm);
      calm = setTimeout(() => setFast(false), calmMs);
    };
    window.addEventListener('scroll', onScroll, { passive: true, capture: true });
    return () => {
      window.removeEventListener('scroll', onScroll, { capture: true });
      clearTimeout(calm);
      setFast(false);
    };
  }, [rowHeight, calmMs]);
  return isFast;
}

/**
 * Delays what a row shows besides its name: a key in the search, and scrolling, render the names first, and the rest as
 * soon as they are painted; while the page scrolls too fast to read, names only.
 * @returns undefined until the first details; an earlier value until those of this one
 */
export function useKnown<T>(value: T): T | undefined {
  const isFast = useContext(FastContext);
  // Not a state: to set it would render each row twice, and all rows change with a key in the search.
  const wanted = useRef<T>(undefined);
  if (!isFast) wanted.current = value;
  return useDeferredValue(wanted.current, undefined);
}
