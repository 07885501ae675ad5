import { useState } from 'react';
import { Modal } from '../../forms/modal.tsx';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { useLock } from '../../ui/use-lock.ts';
import styles from './edit-form.module.css';

interface SureProps {
  label: string;
  /** The effect, before it happens. */
  text: string;
  isBusy: boolean;
  /** The words of the way out; by default those that cancel. */
  keep?: string;
  onSure: () => void;
}

/** A button for what cannot be taken back at once: it says first what it does. */
export function Sure({ label, text, isBusy, keep, onSure }: SureProps) {
  const { cancel } = useText().common;
  const locked = useLock();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="danger" isBusy={isBusy} locked={locked} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Modal title={label} onClose={() => setOpen(false)}>
          <p>{text}</p>
          <div className={styles.actions}>
            <Button
              kind="danger"
              onClick={() => {
                setOpen(false);
                onSure();
              }}
            >
              {label}
            </Button>
            <Button onClick={() => setOpen(false)}>{keep ?? cancel}</Button>
          </div>
        </Modal>
      )}
    </>
  );
}
