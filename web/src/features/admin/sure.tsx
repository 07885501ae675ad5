import { useState } from 'react';
import { Modal } from '../../forms/modal.tsx';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import styles from './edit-form.module.css';

interface SureProps {
  label: string;
  /** The effect, before it happens. */
  text: string;
  isBusy: boolean;
  onSure: () => void;
}

/** A button for what cannot be taken back at once: it says first what it does. */
export function Sure({ label, text, isBusy, onSure }: SureProps) {
  const { cancel } = useText().common;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="danger" isBusy={isBusy} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Modal title={label} onClose={() => setOpen(false)}>
          <p>{text}</p>
          <div className={styles.actions}>
            <Button
              kind="primary"
              onClick={() => {
                setOpen(false);
                onSure();
              }}
            >
              {label}
            </Button>
            <Button onClick={() => setOpen(false)}>{cancel}</Button>
          </div>
        </Modal>
      )}
    </>
  );
}
