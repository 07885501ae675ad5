import type { ReviewQueue } from '@ridewatch/contract/review';
import { formatNumber } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import styles from './review-screen.module.css';
import { useReviewText } from './use-review-text.ts';

interface ReviewHeadProps {
  figures: ReviewQueue | undefined;
  onHead: () => void;
  /** Shows the fragments of all customers, if only those of one are shown. */
  onAll: (() => void) | undefined;
}

/** Shows today's progress, new fragments in the queue, and who else reviews. */
export function ReviewHead({ figures, onHead, onAll }: ReviewHeadProps) {
  const text = useReviewText();
  const done = figures?.reviewed_today ?? 0;
  const all = done + (figures?.total ?? 0);
  return (
    <header className={styles.head}>
      <h1 className="phone-hidden">{text.title}</h1>
      {onAll && <Button onClick={onAll}>{text.ofAll}</Button>}
      {figures && (
        <>
          <label className={styles.progress}>
            <span data-done={done}>{text.doneToday(formatNumber(done), formatNumber(all))}</span>
            <progress value={done} max={Math.max(all, 1)} />
          </label>
          {figures.newer > 0 && (
            <Button onClick={onHead}>{text.newer(formatNumber(figures.newer))}</Button>
          )}
          {figures.reviewers.length > 0 && (
            <ul className={styles.reviewers} aria-label={text.reviewers}>
              {figures.reviewers.map(({ login, reviewed }) => (
                <li key={login}>
                  {login} <b>{formatNumber(reviewed)}</b>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </header>
  );
}
