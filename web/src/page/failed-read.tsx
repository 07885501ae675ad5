import { useText } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import styles from './failed-read.module.css';

interface FailedReadProps {
  answer: { isError: boolean; isFetching: boolean; data: unknown; refetch: () => unknown };
  /** The part that could not be loaded. */
  what: string;
}

/** Says inside a panel that a part of it could not be loaded, with a retry; nothing else. */
export function FailedRead({ answer, what }: FailedReadProps) {
  const { loadFailed, retry } = useText().common;
  if (!answer.isError || answer.data !== undefined) return null;
  return (
    <p role="alert" className={styles.failed}>
      {loadFailed}: {what}
      <Button kind="quiet" isBusy={answer.isFetching} onClick={() => void answer.refetch()}>
        {retry}
      </Button>
    </p>
  );
}
