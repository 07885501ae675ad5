import { type ReactNode, useRef, useState } from 'react';
import { lazyComponent } from '../core/lazy-component.tsx';

const PopoverPanel = lazyComponent(
  async () => (await import('./controls/popover-panel.tsx')).PopoverPanel,
);

interface PopoverProps {
  /** Accessible name of the button and the panel. */
  label: string;
  button: ReactNode;
  buttonClass?: string | undefined;
  /** Content of the panel; `close` closes it. */
  children: (close: () => void) => ReactNode;
}

/** A button with a panel below it. Esc and a press outside close the panel, and the focus returns to the button. */
export function Popover({ label, button, buttonClass, children }: PopoverProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className={buttonClass}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={label}
        // Load the panel's code before the press.
        onPointerEnter={PopoverPanel.preload}
        onFocus={PopoverPanel.preload}
        onClick={() => {
          setOpened(true);
          setOpen(!isOpen);
        }}
      >
        {button}
      </button>
      {wasOpened && (
        <PopoverPanel label={label} anchor={anchor} isOpen={isOpen} onClose={close}>
          {children(close)}
        </PopoverPanel>
      )}
    </>
  );
}
