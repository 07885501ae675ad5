import { type RefObject, useEffect, useState } from 'react';

/**
 * Follows the width of an element that is there as long as its component.
 * @returns px, borders included; 0 before the element is laid out
 */
export function useWidth(element: RefObject<Element | null>): number {
  const [widthPx, setWidthPx] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidthPx(entry?.borderBoxSize[0]?.inlineSize ?? 0),
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return widthPx;
}
