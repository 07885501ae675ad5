import { type ReactNode, useState } from 'react';
import styles from './banner-box.module.css';
import { ImageIcon, InfoIcon } from './icons.tsx';

interface BannerBoxProps {
  title: string;
  text: string;
  /** The finding of the server; absent for a banner that somebody wrote. */
  kind?: string | undefined;
  /** A sample in a form about it, which has its name, too: no landmark of the page. */
  role?: 'note';
  /** Its image, which loads when somebody opens the banner. */
  image?: ReactNode;
  children?: ReactNode;
}

/** A message above a list. A long one is cut to a line; a press shows the whole of it, with its image. */
export function BannerBox({ title, text, kind, role, image, children }: BannerBoxProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <aside className={styles.banner} data-kind={kind} role={role} aria-label={title}>
      <InfoIcon />
      <details className={styles.words} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {image && <ImageIcon />}
          <strong>{title}</strong> {text}
        </summary>
        {isOpen && image}
      </details>
      {children}
    </aside>
  );
}
