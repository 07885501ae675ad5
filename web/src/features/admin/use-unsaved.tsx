import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Modal } from '../../forms/modal.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './edit-form.module.css';
import { useAdminText } from './use-admin-text.ts';

interface Unsaved {
  /** The question whether to leave; null while nobody leaves. */
  readonly dialog: ReactNode;
  /** Lets the next change of the address pass. */
  readonly release: () => void;
}

/** Asks before somebody leaves unsaved changes: by a link, by Back, or by closing the page. */
export function useUnsaved(isDirty: boolean): Unsaved {
  const text = useAdminText();
  const { history } = useRouter();
  const isReleased = useRef(false);
  const [answer, setAnswer] = useState<((isStaying: boolean) => void) | null>(null);
  useEffect(() => {
    isReleased.current = false;
    if (!isDirty) return;
    return history.block({
      enableBeforeUnload: () => !isReleased.current,
      blockerFn: ({ currentLocation, nextLocation }) => {
        // Search and filters beside the form leave it as it is.
        const isHere = currentLocation.pathname === nextLocation.pathname;
        if (isReleased.current || isHere) return false;
        return new Promise<boolean>((resolve) => setAnswer(() => resolve));
      },
    });
  }, [isDirty, history]);
  const settle = (isStaying: boolean): void => {
    answer?.(isStaying);
    setAnswer(null);
  };
  return {
    release: () => {
      isReleased.current = true;
    },
    dialog: answer && (
      <Modal title={text.unsaved} onClose={() => settle(true)}>
        <p>{text.unsavedText}</p>
        <div className={styles.actions}>
          <Button kind="primary" onClick={() => settle(true)}>
            {text.stay}
          </Button>
          <Button kind="danger" onClick={() => settle(false)}>
            {text.leave}
          </Button>
        </div>
      </Modal>
    ),
  };
}
