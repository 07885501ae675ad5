import { type RefObject, useLayoutEffect, useState } from 'react';

/** The top of an element in the page, px; also after something above it changed its height. */
export function useTop(ref: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const look = () => setTop(element.getBoundingClientRect().top + window.scrollY);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return top;
}
