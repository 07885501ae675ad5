import { type ReactNode, useEffect, useRef } from 'react';

interface OverPageProps {
  /** Accessible name. */
  label: string;
  look: string | undefined;
  /** The keys of the page go on to act on what is in it. */
  hasPageKeys?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The browser's own dialog, for what covers the page: Esc, Back and a press beside it put it away. Mount it to open it. */
export function OverPage({ label, look, hasPageKeys, onClose, children }: OverPageProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={look}
      aria-label={label}
      data-page-keys={hasPageKeys || undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
