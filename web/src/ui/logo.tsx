import styles from './logo.module.css';

/** The product's mark beside the company's name. */
export function Logo({ name }: { name: string | undefined }) {
  return (
    <span className={styles.logo}>
      <img src="/icon.svg" width="24" height="24" alt="" />
      <span>{name ?? 'Ridewatch'}</span>
    </span>
  );
}
