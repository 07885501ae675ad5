import { type RefObject, useEffect, useState } from 'react';

/**
 * The width of an element, which must exist as long as its component.
 * @returns px with borders; 0 before the first layout
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
