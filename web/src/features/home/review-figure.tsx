import type { Home } from '@ridewatch/contract/home';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../i18n/format.ts';
import type { CustomerSearch } from './customer-search.ts';
import styles from './figures.module.css';
import type { HomeTexts } from './texts-ru.ts';

interface ReviewFigureProps {
  review: Home['review'];
  ofCustomer: CustomerSearch;
  text: HomeTexts;
}

/** How many fragments wait for review, and how many were reviewed today. */
export function ReviewFigure({ review, ofCustomer, text }: ReviewFigureProps) {
  const { waiting, reviewed } = review;
  return (
    <Link
      to="/review"
      search={ofCustomer}
      className={`${styles.cell} ${styles.figure}`}
      data-review
    >
      <span className={styles.label}>{text.review}</span>
      <strong>{formatNumber(waiting)}</strong>
      <small>{text.reviewed(reviewed)}</small>
      <span className={styles.go}>{text.doReview}</span>
    </Link>
  );
}
