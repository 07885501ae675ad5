import type { ReactNode } from 'react';
import styles from './top-bar.module.css';

/** The bar above a screen, which stays when the screen is scrolled. @param className its height and distances */
export function TopBar({
  className,
  children,
}: {
  className: string | undefined;
  children: ReactNode;
}) {
  return <header className={`${styles.bar} ${className ?? ''}`}>{children}</header>;
}
