import { useNavigate, useRouter } from '@tanstack/react-router';
import { type MouseEvent, type SyntheticEvent, useEffect, useState } from 'react';
import { copyText } from '../../ui/copy-text.ts';

const DONE_SHOWN_MS = 1_500;

/**
 * What the parts of all cards do, as handlers of the list: a listener a card is what makes thousands of them slow.
 * @param openMenu called with a bus's id and the button that moves it, and whether a key pressed that
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
    // Any other click on a link is the browser's: a new tab, a new window, a download.
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (busId === undefined || !isPlain) return;
    event.preventDefault();
    void navigate({ to: '/bus/$busId', params: { busId } });
  };
  // The screen of a bus is asked for when somebody is about to open it.
  const onIntent = (event: SyntheticEvent) => {
    const busId = busAt(event);
    if (busId !== undefined) void router.preloadRoute({ to: '/bus/$busId', params: { busId } });
  };
  return { copied, handlers: { onClick, onFocus: onIntent, onPointerOver: onIntent } };
}

function partAt({ target }: SyntheticEvent, selector: string): HTMLElement | undefined {
  const part = target instanceof Element ? target.closest(selector) : null;
  return part instanceof HTMLElement ? part : undefined;
}

function busAt(event: SyntheticEvent): string | undefined {
  return partAt(event, 'a')?.getAttribute('href')?.replace('/bus/', '');
}
