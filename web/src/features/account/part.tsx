import { type ReactNode, useId } from 'react';
import styles from './account.module.css';

interface PartProps {
  title: string;
  /** Its purpose. */
  note?: string;
  children: ReactNode;
}

/** A part of the account screen under its own title. */
export function Part({ title, note, children }: PartProps) {
  const id = useId();
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {note && <p className={styles.note}>{note}</p>}
      {children}
    </section>
  );
}
