// The names of the board's rows, drawn by hand: each key in the search and each step of fast scrolling changes them all,
// and must not wait for React, which draws the rest of the rows afterwards.
import type { Row } from './rows.ts';
import { ROW_HEIGHT } from './sizes.ts';

/** Rows beyond the window's edges: the arrows go to the next bus before the page scrolls. */
const ROWS_BEYOND = 2;

/** What a row says before its details. */
export interface Label {
  /** The page of a bus; undefined for a heading. */
  readonly href: string | undefined;
  readonly name: string;
  /** Beside the name. */
  readonly note: string;
  /** Level of a heading; that of customers looks different. */
  readonly level: number;
  readonly isCustomer: boolean;
}

/** What to draw. */
export interface Drawn {
  readonly rows: readonly Row[];
  readonly labelOf: (row: Row) => Label;
  /** Where the rows begin in the page, px. */
  readonly top: number;
}

/** The elements of one row: React draws details into `bus` and `heading`. */
interface Slot {
  readonly root: HTMLElement;
  readonly bus: HTMLElement;
  readonly heading: HTMLElement;
  readonly link: HTMLAnchorElement;
  readonly name: NamedText;
  readonly title: HTMLElement;
  readonly titleText: NamedText;
  row: Row | undefined;
  /** What its details belong to. */
  details: string | undefined;
}

interface NamedText {
  readonly name: Text;
  readonly note: Text;
}

/** Number of rows that fill a window of a height, px. */
export function slotsIn(height: number): number {
  return Math.ceil(height / ROW_HEIGHT) + 1 + 2 * ROWS_BEYOND;
}

/** What a row is about; details of the same may stay until newer ones are there. */
function subjectOf(row: Row): string {
  if (row.kind === 'bus') return `b${row.bus.id}`;
  return row.kind === 'buses' ? '' : row.key;
}

/** The rows of a board: a few elements that show the rows in view. */
export interface BoardSlots {
  /**
   * Adds the element of a row; returns what removes it.
   * @param root holds the row of a bus and that of a heading
   */
  register(root: HTMLElement): () => void;
  /** Draws the names of all rows in view. */
  draw(drawn: Drawn): void;
  /**
   * Draws the rows that scrolling brings into view; those that stay are not touched.
   * @param scrollTop how far the page is scrolled, px
   * @returns whether there were any
   */
  scrollTo(scrollTop: number): boolean;
  /**
   * Puts the elements into the order of their rows, for the tabulator and for screen readers. While the page scrolls it
   * would cost more than the drawing: a moved element is laid out and painted anew.
   * @returns whether any was elsewhere
   */
  sort(): boolean;
  /** What the elements show, in the order in which they were added. */
  shown(): (Row | undefined)[];
  /** The index of the topmost row below what covers the top of the page. @param headHeight its height, px */
  topmost(headHeight: number): number;
  /** Notes that the details of a row are drawn: nothing covers them any longer. */
  settle(root: HTMLElement, row: Row): void;
}

/** Makes the rows of a board. */
export function createBoardSlots(): BoardSlots {
  const slots = new Map<HTMLElement, Slot>();
  // In the order of the rows.
  let order: Slot[] = [];
  let drawn: Drawn | undefined;
  let first = 0;
  let scrolled = 0;

  const wantedFirst = ({ rows, top }: Drawn): number => {
    const wanted = Math.floor((scrolled - top) / ROW_HEIGHT) - ROWS_BEYOND;
    return Math.max(0, Math.min(wanted, rows.length - order.length));
  };
  const show = (at: number, { rows, labelOf }: Drawn): void => {
    const slot = order[at];
    if (slot) showRow(slot, first + at, rows[first + at], labelOf);
  };
  return {
    register: (root) => {
      const slot = makeSlot(root);
      slots.set(root, slot);
      order.push(slot);
      return () => {
        slots.delete(root);
        order = order.filter((each) => each !== slot);
      };
    },
    draw: (wanted) => {
      drawn = wanted;
      first = wantedFirst(wanted);
      for (const at of order.keys()) show(at, wanted);
    },
    scrollTo: (scrollTop) => {
      scrolled = scrollTop;
      if (drawn === undefined) return false;
      const step = wantedFirst(drawn) - first;
      if (step === 0) return false;
      first += step;
      const all = order.length;
      const isNear = Math.abs(step) < all;
      if (isNear) order = [...order.slice(step), ...order.slice(0, step)];
      const isNew = (at: number) => !isNear || (step > 0 ? at >= all - step : at < -step);
      for (const at of order.keys()) if (isNew(at)) show(at, drawn);
      return true;
    },
    sort: () => {
      let next = order.at(-1)?.root;
      let hasMoved = false;
      for (const { root } of order.slice(0, -1).reverse()) {
        if (next && root.nextElementSibling !== next) {
          next.before(root);
          hasMoved = true;
        }
        next = root;
      }
      return hasMoved;
    },
    shown: () => [...slots.values()].map(({ row }) => row),
    topmost: (headHeight) => {
      if (drawn === undefined || scrolled <= drawn.top - headHeight) return 0;
      return Math.ceil((scrolled + headHeight - drawn.top) / ROW_HEIGHT);
    },
    settle: (root, row) => {
      const slot = slots.get(root);
      if (slot === undefined) return;
      slot.details = subjectOf(row);
      cover(slot);
    },
  };
}

function makeSlot(root: HTMLElement): Slot {
  const [bus, heading] = root.children;
  if (!(bus instanceof HTMLElement && heading instanceof HTMLElement)) {
    throw new Error('The element of a row lacks its parts.');
  }
  const link = document.createElement('a');
  link.className = 'board-link';
  const box = document.createElement('span');
  box.className = 'board-name';
  link.append(box);
  bus.prepend(link);
  const title = document.createElement('h3');
  title.className = 'board-title';
  heading.prepend(title);
  const slot: Slot = {
    ...{ root, bus, heading, link, title, row: undefined, details: undefined },
    name: namedText(box),
    titleText: namedText(title),
  };
  hide(slot);
  return slot;
}

function namedText(parent: HTMLElement): NamedText {
  const [name, note] = [new Text(), new Text()];
  const small = document.createElement('small');
  small.append(note);
  parent.append(name, small);
  return { name, note };
}

function showRow(
  slot: Slot,
  index: number,
  row: Row | undefined,
  labelOf: (row: Row) => Label,
): void {
  if (row === undefined) {
    if (slot.row !== undefined) hide(slot);
    return;
  }
  const { href, name, note, level, isCustomer } = labelOf(row);
  const isOther = slot.row === undefined || subjectOf(slot.row) !== subjectOf(row);
  // The focus must not move to another bus.
  if (isOther && slot.root.contains(document.activeElement)) {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }
  slot.row = row;
  setStyle(slot.root, `0 ${index * ROW_HEIGHT}px`);
  const isBus = href !== undefined;
  if (slot.root.hidden) slot.root.hidden = false;
  if (slot.bus.hidden === isBus) slot.bus.hidden = !isBus;
  if (slot.heading.hidden !== isBus) slot.heading.hidden = isBus;
  const [text, other] = isBus ? [slot.name, slot.titleText] : [slot.titleText, slot.name];
  setText(text.name, note === '' ? name : `${name} `);
  setText(text.note, note);
  setText(other.name, '');
  setText(other.note, '');
  if (isBus) setAttribute(slot.link, 'href', href);
  else {
    slot.link.removeAttribute('href');
    setAttribute(slot.title, 'aria-level', String(level));
    slot.heading.classList.toggle('board-customer', isCustomer);
  }
  cover(slot);
}

function hide(slot: Slot): void {
  slot.row = undefined;
  slot.root.hidden = true;
  slot.bus.hidden = true;
  slot.heading.hidden = true;
  slot.link.removeAttribute('href');
  cover(slot);
}

// What belongs to the row before is covered until the details of this one are drawn.
function cover({ row, details, bus, heading }: Slot): void {
  const isLate = row !== undefined && details !== subjectOf(row);
  bus.toggleAttribute('data-late', isLate && !bus.hidden);
  heading.toggleAttribute('data-late', isLate && !heading.hidden);
}

// A write of the same value would cost the browser as much as a change.
function setText(node: Text, text: string): void {
  if (node.data !== text) node.data = text;
}

function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function setStyle(element: HTMLElement, translate: string): void {
  if (element.style.translate !== translate) element.style.translate = translate;
}
