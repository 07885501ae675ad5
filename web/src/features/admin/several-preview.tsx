import { Modal } from '../../forms/modal.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import editStyles from './edit-form.module.css';
import styles from './several-bar.module.css';
import { MOST_NAMED, type Refusal, Refusals } from './several-refusals.tsx';
import { useSeveralText } from './use-several-text.ts';

interface SeveralPreviewProps {
  title: string;
  /** Further effects of the change. */
  notes: readonly string[];
  /** The rows that refuse it: none changes. */
  refusals: readonly Refusal[];
  /** Rows were changed by others since the user was asked. */
  isAgain: boolean;
  /** The rows that would become different: the name of each, or a line with its new value. */
  rows: readonly { readonly id: number; readonly text: string }[];
  /** Chosen rows. */
  of: number;
  isBusy: boolean;
  onSure: () => void;
  /** Asks without the rows that refuse it. */
  onLeaveOut: () => void;
  onClose: () => void;
}

/** Says which of the chosen rows would become different, before they do, or which refuse it. */
export function SeveralPreview(props: SeveralPreviewProps) {
  const { title, refusals, isAgain, of, isBusy, onLeaveOut, onClose } = props;
  const text = useSeveralText();
  const { cancel } = useText().common;
  return (
    // The answer comes to the user who asked, not over what they open meanwhile.
    <Modal title={title} isHeld={isBusy} onClose={onClose}>
      {isAgain && <p role="alert">{text.again}</p>}
      {refusals.length === 0 ? (
        <Effects {...props} />
      ) : (
        <>
          <Refusals {...{ refusals, of, onLeaveOut }} />
          <div className={editStyles.actions}>
            <Button disabled={isBusy} onClick={onClose}>
              {cancel}
            </Button>
          </div>
        </>
      )}
    </Modal>
  );
}

function Effects({ notes, rows, of, isBusy, onSure, onClose }: SeveralPreviewProps) {
  const text = useSeveralText();
  const { cancel } = useText().common;
  const count = rows.length;
  const named = rows.slice(0, MOST_NAMED);
  return (
    <>
      <p role="status">{count === 0 ? text.nothing : text.would(count, of)}</p>
      {count > 0 && (
        <ul className={styles.lines}>
          {named.map((row) => (
            <li key={row.id}>{row.text}</li>
          ))}
          {count > MOST_NAMED && <li>{text.andMore(formatNumber(count - MOST_NAMED))}</li>}
        </ul>
      )}
      {count > 0 && notes.map((note) => <p key={note}>{note}</p>)}
      <div className={editStyles.actions}>
        {count > 0 && (
          <Button kind="primary" isBusy={isBusy} onClick={onSure}>
            {text.change(count, formatNumber(count))}
          </Button>
        )}
        <Button disabled={isBusy} onClick={onClose}>
          {cancel}
        </Button>
      </div>
    </>
  );
}
