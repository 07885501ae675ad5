import type { Bus } from '@ridewatch/contract/buses';
import { type ReactNode, useRef, useState } from 'react';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { busesIn, type Row } from './rows.ts';
import { useCardActions } from './use-card-actions.ts';

const CardMenu = lazyComponent(async () => (await import('./card-menu.tsx')).CardMenu);

/** The actions of a list of buses, and the open menu of one of them. */
export function useRowActions(rows: readonly Row[]) {
  const [menu, setMenu] = useState<{ bus: Bus; button: HTMLElement; opened: number }>();
  const opened = useRef(0);
  const { copied, handlers } = useCardActions((busId, button, isByKey) => {
    const bus = rows.flatMap(busesIn).find(({ id }) => id === busId);
    // A press of the pointer closes an open menu before its click arrives. A key does not, and after Esc the event of
    // the closed menu may still be pending.
    const isShown = !isByKey || document.querySelector('[popover="auto"]:popover-open') !== null;
    const isOpen = menu?.button === button && isShown;
    opened.current += 1;
    setMenu(isOpen || !bus ? undefined : { bus, button, opened: opened.current });
  });
  const shown: ReactNode = menu && (
    <CardMenu
      key={menu.opened}
      bus={menu.bus}
      button={menu.button}
      onClose={() => setMenu((now) => (now === menu ? undefined : now))}
    />
  );
  return { copied, handlers, menu: shown };
}
