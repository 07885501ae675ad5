import type { ReactNode } from 'react';
import styles from './skip-link.module.css';
import { useAccountText } from './use-account-text.ts';

/** Leads the keyboard past the menu; visible while it has the focus. */
export function SkipLink() {
  const text = useAccountText();
  return (
    <button type="button" className={styles.skip} onClick={focusScreen}>
      {text.skip}
    </button>
  );
}

/** The part of the page to which the link leads: the screen. */
export function Main({ children }: { children: ReactNode }) {
  return <main className={styles.main}>{children}</main>;
}

/** Gives the focus to the screen. A press beside its controls focuses nothing, so it takes the focus only from here. */
export function focusScreen(): void {
  const main = document.querySelector('main');
  if (!main) return;
  main.tabIndex = -1;
  main.focus();
  main.addEventListener('blur', () => main.removeAttribute('tabindex'), { once: true });
}
