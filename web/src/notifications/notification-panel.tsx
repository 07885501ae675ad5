import { Link } from '@tanstack/react-router';
import { useText } from '../i18n/language.ts';
import { MergeItem } from '../merges/merge-item.tsx';
import { useMergeText } from '../merges/use-merge-text.ts';
import { useMerges } from '../merges/use-merges.ts';
import { Button } from '../ui/button.tsx';
import { ForwardIcon } from '../ui/icons.tsx';
import styles from './notification-panel.module.css';

/** The notifications: merged videos and their progress; and the way to reports, which phones have in no menu. */
export function NotificationPanel({ onLeave }: { onLeave: () => void }) {
  const { common: text, shell } = useText();
  const merge = useMergeText();
  const merges = useMerges();
  const { data, isPending, isError } = merges;
  return (
    <div className={styles.panel}>
      {isPending && <p className={styles.none}>{text.loading}</p>}
      {isError && !data && (
        <p role="alert" className={styles.none}>
          {text.loadFailed} <Button onClick={() => void merges.refetch()}>{text.retry}</Button>
        </p>
      )}
      {data && data.items.length > 0 && (
        <section aria-label={merge.section}>
          <h3 className={styles.heading}>{merge.section}</h3>
          <ul className={styles.list}>
            {data.items.map((one) => (
              <MergeItem key={one.id} merge={one} />
            ))}
          </ul>
        </section>
      )}
      {data?.items.length === 0 && <p className={styles.none}>{merge.none}</p>}
      <Link to="/reports" className={styles.reports} onClick={onLeave}>
        {shell.reports}
        <ForwardIcon />
      </Link>
    </div>
  );
}
