import { Modal } from '../../forms/modal.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import editStyles from './edit-form.module.css';
import styles from './several-bar.module.css';
import { useSeveralText } from './use-several-text.ts';

/** Most rows that are named; the others are counted. */
const MOST_NAMED = 12;

interface SeveralPreviewProps {
  title: string;
  /** What else the change does. */
  note: string | undefined;
  /** Of the rows that would become different. */
  names: readonly string[];
  /** Chosen rows. */
  of: number;
  isBusy: boolean;
  onSure: () => void;
  onClose: () => void;
}

/** Says which of the chosen rows would become different, before they do. */
export function SeveralPreview(props: SeveralPreviewProps) {
  const { title, note, names, of, isBusy, onSure, onClose } = props;
  const text = useSeveralText();
  const { cancel } = useText().common;
  const more = names.length - MOST_NAMED;
  const count = names.length;
  return (
    <Modal title={title} onClose={onClose}>
      <p role="status">
        {count === 0 ? text.nothing : text.would(formatNumber(count), formatNumber(of))}
      </p>
      {count > 0 && (
        <p className={styles.hint}>
          {names.slice(0, MOST_NAMED).join(', ')}
          {more > 0 && ` ${text.andMore(formatNumber(more))}`}
        </p>
      )}
      {note !== undefined && count > 0 && <p>{note}</p>}
      <div className={editStyles.actions}>
        {count > 0 && (
          <Button kind="primary" isBusy={isBusy} onClick={onSure}>
            {text.change(count, formatNumber(count))}
          </Button>
        )}
        <Button onClick={onClose}>{cancel}</Button>
      </div>
    </Modal>
  );
}
