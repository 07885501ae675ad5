import styles from './logo.module.css';

/** The product's mark beside the company's name. */
export function Logo({ name }: { name: string | undefined }) {
  return (
    <span className={styles.logo}>
      <svg className={styles.mark} width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
        <path className={styles.entered} d="M0 0h24L0 24z" />
        <path className={styles.exited} d="M24 0v24H0z" />
      </svg>
      <span>{name ?? 'Ridewatch'}</span>
    </span>
  );
}
