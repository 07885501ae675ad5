import { Popover } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import styles from './popover-panel.module.css';

const GAP_PX = 4;
/** Space between the panel and the edge of the window, px. */
const EDGE_PX = 8;

interface PopoverPanelProps {
  label: string;
  /** The button above the panel, which also closes it. */
  anchor: RefObject<HTMLElement | null>;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A panel below a button. */
export function PopoverPanel({ label, anchor, isOpen, onClose, children }: PopoverPanelProps) {
  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={(next, { event }) => {
        const isOnButton = event.target instanceof Node && anchor.current?.contains(event.target);
        if (!next && !isOnButton) onClose();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          align="end"
          sideOffset={GAP_PX}
          collisionPadding={EDGE_PX}
          className={styles.positioner}
        >
          <Popover.Popup className={styles.panel} aria-label={label} finalFocus={anchor}>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
