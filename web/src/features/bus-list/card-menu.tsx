import type { Bus } from '@ridewatch/contract/buses';
import { useLayoutEffect, useRef } from 'react';
import { useCustomerRoutes } from '../../buses/use-customer-routes.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { placeBelow } from '../../ui/place-below.ts';
import popover from '../../ui/popover.module.css';
import { moveTargets } from './move-targets.ts';
import { RouteTargets } from './route-targets.tsx';
import { useListText } from './use-list-text.ts';

interface CardMenuProps {
  bus: Bus;
  /** The button below which it opens, and to which the focus returns. */
  button: HTMLElement;
  onClose: () => void;
}

/** A menu that moves a bus to another route or off its route; one menu for all cards. */
export function CardMenu({ bus, button, onClose }: CardMenuProps) {
  const text = useListText();
  const { routes, answer } = useCustomerRoutes(true);
  const { status } = answer;
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const panel = ref.current;
    if (!panel) return;
    panel.showPopover({ source: button });
  }, [button]);
  // Its size changes with what it says.
  useLayoutEffect(() => {
    if (ref.current && status !== undefined) placeBelow(button, ref.current);
  }, [button, status]);
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
      <FailedRead answer={answer} what={text.routes} />
      <RouteTargets
        bus={bus}
        targets={moveTargets(bus, routes)}
        onDone={() => ref.current?.hidePopover()}
      />
    </div>
  );
}
