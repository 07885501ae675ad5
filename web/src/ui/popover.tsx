import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { placeBelow } from './place-below.ts';
import styles from './popover.module.css';

interface PopoverProps {
  /** Accessible name of the button and the panel. */
  label: string;
  button: ReactNode;
  buttonClass?: string | undefined;
  /** The panel may be as high as the window, and its content brings its own padding. */
  isTall?: boolean;
  /** Content of the panel; `close` closes it. */
  children: (close: () => void) => ReactNode;
}

/** A button with a panel below it. Esc and a press outside close the panel. */
export function Popover({ label, button, buttonClass, isTall, children }: PopoverProps) {
  const id = useId();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const panelRef = useRef<HTMLDivElement>(null);
  const [isThere, setThere] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (isOpen && buttonRef.current && panelRef.current) {
      placeBelow(buttonRef.current, panelRef.current);
    }
  }, [isOpen]);
  return (
    <>
      <button
        ref={buttonRef}
        type="button"
        className={buttonClass}
        aria-label={label}
        title={label}
        popoverTarget={id}
        // The browser opens the panel after the click event, so it must be rendered by then.
        onClick={() => flushSync(() => setThere(true))}
      >
        {button}
      </button>
      {isThere && (
        <div
          ref={panelRef}
          id={id}
          popover="auto"
          role="dialog"
          aria-label={label}
          className={styles.panel}
          data-tall={isTall || undefined}
          onToggle={({ newState }) => {
            setOpen(newState === 'open');
            setThere(newState === 'open');
          }}
        >
          {isOpen && children(() => panelRef.current?.hidePopover())}
        </div>
      )}
    </>
  );
}
