import styles from './home-skeleton.module.css';

/** The outline of the page, of its final size, until the figures are there. */
export function HomeSkeleton() {
  return (
    <div className={styles.outline} aria-busy="true" aria-hidden="true">
      <div className={styles.strip} />
      <div className={styles.attention} />
      <div className={styles.map} />
      <div className={styles.hours} />
    </div>
  );
}
