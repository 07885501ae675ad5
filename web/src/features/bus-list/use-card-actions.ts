import { useNavigate, useRouter } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  type MouseEvent,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { copyText } from '../../ui/copy-text.ts';

const DONE_SHOWN_MS = 1_500;
/** A pointer that rests on a bus for so long is about to open it, ms. */
const REST_MS = 60;
const BUS_LINK = 'a[href^="/bus/"]';

/**
 * The actions of all cards as handlers on the list. With a listener on each card thousands of cards would be slow.
 * @param openMenu takes a bus's id, the button of its menu, and whether a key pressed the button
 */
export function useCardActions(
  openMenu: (busId: number, button: HTMLElement, isByKey: boolean) => void,
) {
  const navigate = useNavigate();
  const router = useRouter();
  const [copied, setCopied] = useState<string>();
  useEffect(() => {
    if (copied === undefined) return;
    const timer = setTimeout(() => setCopied(undefined), DONE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const onClick = (event: MouseEvent) => {
    const { rid, move } = partAt(event, 'button')?.dataset ?? {};
    if (rid !== undefined) void copyText(rid).then((isDone) => setCopied(isDone ? rid : undefined));
    const button = partAt(event, 'button');
    if (move !== undefined && button) openMenu(Number(move), button, event.detail === 0);
    const busId = busAt(event);
    // A click with a modifier is the browser's: new tab, new window, download.
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (busId === undefined || !isPlain) return;
    event.preventDefault();
    void navigate({ to: '/bus/$busId', params: { busId } });
  };
  // Preload the screen of a bus that the user is about to open.
  const preload = (busId: string | undefined) => {
    if (busId !== undefined) void router.preloadRoute({ to: '/bus/$busId', params: { busId } });
  };
  const focused = useRef<string>(undefined);
  const onFocus = (event: SyntheticEvent) => {
    focused.current = busOfRow(event.target);
    preload(busAt(event));
  };
  // Not every bus that scrolls past below the pointer.
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(resting.current), []);
  const onPointerOver = (event: SyntheticEvent) => {
    clearTimeout(resting.current);
    const busId = busAt(event);
    resting.current = setTimeout(() => preload(busId), REST_MS);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const link = partAt(event, BUS_LINK);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!link || step === undefined) return;
    event.preventDefault();
    focusBus(link, step);
  };
  // Rows show other buses after a search or new figures; the focus must not move to another bus.
  useLayoutEffect(() => {
    const { activeElement } = document;
    const busId = busOfRow(activeElement);
    const isOther = busId !== undefined && busId !== focused.current;
    if (isOther && activeElement instanceof HTMLElement) activeElement.blur();
  });
  const handlers = { onClick, onKeyDown, onFocus, onPointerOver };
  return { copied, handlers };
}

/** Moves the focus to the first bus of the list in view. */
export function focusFirstBus(): void {
  document.querySelector<HTMLElement>(`article ${BUS_LINK}`)?.focus();
}

// The next bus is in the document: the list renders some rows beyond those in view.
function focusBus(from: HTMLElement, step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>(`article ${BUS_LINK}`)];
  const next = links[links.indexOf(from) + step];
  if (!next) return;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
}

function partAt({ target }: SyntheticEvent, selector: string): HTMLElement | undefined {
  const part = target instanceof Element ? target.closest(selector) : null;
  return part instanceof HTMLElement ? part : undefined;
}

function busAt(event: SyntheticEvent): string | undefined {
  return busOf(partAt(event, 'a'));
}

// The bus of the row or tile that contains an element.
function busOfRow(element: EventTarget | null): string | undefined {
  if (!(element instanceof Element)) return undefined;
  return busOf(element.closest('article')?.querySelector(BUS_LINK));
}

const busOf = (link: Element | null | undefined): string | undefined =>
  link?.getAttribute('href')?.replace('/bus/', '');
