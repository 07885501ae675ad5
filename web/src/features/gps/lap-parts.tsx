import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { drawn } from '../../ui/icons.tsx';
import styles from './lap-parts.module.css';
import { useGpsText } from './use-gps-text.ts';

/** A button that pins the shown track to the map. */
export function PinButton({
  isPinned,
  onChange,
}: {
  isPinned: boolean;
  onChange: (on: boolean) => void;
}) {
  const text = useGpsText();
  return (
    <button
      type="button"
      className={styles.pin}
      title={text.pin}
      aria-pressed={isPinned}
      onClick={() => onChange(!isPinned)}
    >
      <PinIcon />
      <span>{text.pin}</span>
    </button>
  );
}

interface ListTitleProps {
  count: number;
  /** Whether the list has counts; stops of a route have none. */
  isDriven?: boolean;
  pauses?: number;
  withPauses?: boolean;
  onPauses?: (on: boolean) => void;
}

/** The heading of the list of stops. */
export function ListTitle(props: ListTitleProps) {
  const { count, isDriven = false, pauses = 0, withPauses = false, onPauses } = props;
  const text = useGpsText();
  return (
    <>
      <h2 className={styles.title}>
        {text.haltCount(count)} {isDriven && <small>{text.inOut}</small>}
      </h2>
      {pauses > 0 && (
        <label className={styles.pauses} title={text.pausesHint}>
          <input
            type="checkbox"
            checked={withPauses}
            onChange={(event) => onPauses?.(event.target.checked)}
          />
          {text.pauses} · {pauses}
        </label>
      )}
    </>
  );
}

/** Replaces a lap or route that could not be loaded. */
export function LoadFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const common = useText().common;
  return (
    <div className={styles.failed} role="alert">
      <p>{text}</p>
      <Button onClick={onRetry}>{common.retry}</Button>
    </div>
  );
}

/** The outline of map and list until they are loaded. */
export function Waiting() {
  return (
    <div className={styles.waiting} aria-busy="true">
      <i />
      <i />
    </div>
  );
}

const PinIcon = drawn('M9 3h6l-1 7 4 4H6l4-4zM12 14v7');
