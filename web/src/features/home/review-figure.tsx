import type { Home } from '@ridewatch/contract/home';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../i18n/format.ts';
import { moscowMoment } from './day-names.ts';
import styles from './figures.module.css';
import type { HomeTexts } from './texts-ru.ts';

/** How many fragments wait for review, and how many were reviewed today. */
export function ReviewFigure({ review, text }: { review: Home['review']; text: HomeTexts }) {
  const { waiting, oldest, reviewed } = review;
  return (
    <Link to="/review" className={styles.figure} data-review>
      <span className={styles.label}>{text.review}</span>
      <strong>{formatNumber(waiting)}</strong>
      <small>
        {text.reviewed(reviewed)}
        {oldest !== null && <span> · {text.oldest(moscowMoment(oldest))}</span>}
      </small>
      <span className={styles.go}>{text.doReview}</span>
    </Link>
  );
}
