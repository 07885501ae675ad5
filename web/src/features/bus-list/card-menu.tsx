import type { Bus } from '@ridewatch/contract/buses';
import { useLayoutEffect, useRef } from 'react';
import { placeBelow } from '../../ui/place-below.ts';
import popover from '../../ui/popover.module.css';
import type { MoveTarget } from './move-targets.ts';
import { RouteTargets } from './route-targets.tsx';
import { useListText } from './use-list-text.ts';

interface CardMenuProps {
  bus: Bus;
  targets: readonly MoveTarget[];
  /** The button below which it opens, and to which the focus returns. */
  button: HTMLElement;
  onClose: () => void;
}

/** A menu that moves a bus to another route or off its route; one menu for all cards. */
export function CardMenu({ bus, targets, button, onClose }: CardMenuProps) {
  const text = useListText();
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const panel = ref.current;
    if (!panel) return;
    panel.showPopover({ source: button });
    placeBelow(button, panel);
  }, [button]);
  return (
    <div
      ref={ref}
      popover="auto"
      role="dialog"
      aria-label={text.move(bus.name)}
      className={popover.panel}
      onToggle={({ newState }) => {
        if (newState === 'closed') onClose();
      }}
    >
      <RouteTargets bus={bus} targets={targets} onDone={() => ref.current?.hidePopover()} />
    </div>
  );
}
