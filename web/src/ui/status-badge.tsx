import styles from './status-badge.module.css';

interface StatusBadgeProps {
  /** A status without a colour of its own is neutral. */
  status: string | undefined;
  children: string;
}

/** The status of requested work. */
export function StatusBadge({ status, children }: StatusBadgeProps) {
  return (
    <span className={styles.badge} data-status={status}>
      {children}
    </span>
  );
}
