// Finds text for which a narrow screen has no room: it is cut, leaves its button, or lies over other text.
import type { Page } from 'playwright-core';

/**
 * Lists the faults of a page as sentences. A name from data may end in `…` where a title says it whole; a row that
 * scrolls sideways may be cut at the edge.
 */
export function findCrowded(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const SLACK_PX = 1.5;
    const faults = new Set<string>();
    const say = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim().slice(0, 60);
    const isShown = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const parentsOf = function* (element: Element | null): Generator<Element> {
      for (let at = element; at !== null; at = at.parentElement) yield at;
    };
    const isHiddenText = (element: Element) =>
      [...parentsOf(element)].some((one) => {
        const { clipPath, clip, contentVisibility } = getComputedStyle(one);
        return clipPath !== 'none' || clip !== 'auto' || contentVisibility === 'hidden';
      });
    // A box that scrolls downwards has the same style, but nothing beside what it shows.
    const scrollsSideways = (element: Element) =>
      [...parentsOf(element)].some((one) => {
        const { overflowX } = getComputedStyle(one);
        return (
          (overflowX === 'auto' || overflowX === 'scroll') &&
          one.scrollWidth > one.clientWidth &&
          one !== document.documentElement
        );
      });
    // Whether the text ends in '…', and a hint or a press says all of it.
    const isTitled = (element: Element) =>
      element.closest('[title], summary') !== null &&
      [...parentsOf(element)].some((one) => getComputedStyle(one).textOverflow === 'ellipsis');
    // The part of a box that its surroundings show.
    const shownPart = (rect: DOMRect, element: Element): DOMRect => {
      let { left, right, top, bottom } = rect;
      for (const one of parentsOf(element)) {
        if (one === document.body) break;
        if (getComputedStyle(one).overflowX === 'visible') continue;
        const box = one.getBoundingClientRect();
        left = Math.max(left, box.left);
        right = Math.min(right, box.right);
        top = Math.max(top, box.top);
        bottom = Math.min(bottom, box.bottom);
      }
      return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    };

    // Every text, where it is painted.
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: { element: Element; said: string; rects: DOMRect[]; layer: Element }[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element || say(node.textContent) === '') continue;
      if (element.closest('script, style, noscript, option, canvas, [aria-busy="true"]')) continue;
      if (!isShown(element) || isHiddenText(element)) continue;
      // Marks stand where the map has them.
      if (element.closest('.maplibregl-map')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const painted = [...range.getClientRects()].filter(({ width }) => width > 0);
      const rects = painted
        .map((rect) => shownPart(rect, element))
        .filter(({ width, height }) => width > 0 && height > 0);
      const said = say(node.textContent);
      const isRolled = scrollsSideways(element);
      const isCut = painted.some((rect) => rect.width > shownPart(rect, element).width + SLACK_PX);
      if (isCut && !isRolled && !isTitled(element)) faults.add(`cut: ${said}`);
      if (rects.length === 0) continue;
      const holder = element.closest('button, a, [role="tab"], [role="button"], summary');
      if (holder && !isRolled && getComputedStyle(holder).display !== 'inline') {
        const box = holder.getBoundingClientRect();
        const isOut = rects.some(
          ({ left, right }) => left < box.left - SLACK_PX || right > box.right + SLACK_PX,
        );
        if (isOut) faults.add(`out of its button: ${said}`);
      }
      const width = document.documentElement.clientWidth;
      if (!isRolled && rects.some(({ right, left }) => left >= 0 && right > width + SLACK_PX))
        faults.add(`beyond the screen: ${said}`);
      const layer =
        [...parentsOf(element)].find((one) =>
          ['fixed', 'sticky', 'absolute'].includes(getComputedStyle(one).position),
        ) ?? document.body;
      texts.push({ element, said, rects, layer });
    }
    // Neighbours of one layer.
    for (const [at, one] of texts.entries()) {
      for (const other of texts.slice(at + 1, at + 40)) {
        if (one.layer !== other.layer || one.element === other.element) continue;
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        const isOver = one.rects.some((a) =>
          other.rects.some(
            (b) =>
              Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
              Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4,
          ),
        );
        if (isOver) faults.add(`over each other: ${one.said} | ${other.said}`);
      }
    }
    return [...faults];
  });
}
