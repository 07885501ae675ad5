import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface OverPageProps {
  /** Accessible name. */
  label: string;
  look: string | undefined;
  /** The page's keyboard shortcuts stay active. */
  hasPageKeys?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A modal `<dialog>` over the whole page. Mount it to open it; Esc, the Back of Android and a press outside call `onClose`. */
export function OverPage({ label, look, hasPageKeys, onClose, children }: OverPageProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // Close it before it leaves the document, so that the focus returns.
  useLayoutEffect(() => {
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
