import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './panel-link.module.css';

interface PanelLinkProps {
  /** Path of a screen. */
  to: string;
  /** Closes the panel. */
  close: () => void;
  children: ReactNode;
}

/** A link to a screen in a panel of the header. */
export function PanelLink({ to, close, children }: PanelLinkProps) {
  return (
    <Link to={to} className={styles.link} onClick={close}>
      {children}
    </Link>
  );
}
