import type { ReactNode } from 'react';
import styles from './icons.module.css';

/** An icon drawn in one stroke, as high as a line of text. */
// A class sets the looks. As attributes they made up half of the HTML of a card in the list.
export function Icon({ children }: { children: ReactNode }) {
  return (
    <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}

/** Makes an icon of one path in a square of 24. */
export const drawn = (path: string) => () => (
  <Icon>
    <path d={path} />
  </Icon>
);

export const CloseIcon = drawn('M6 6l12 12M18 6L6 18');
export const BackIcon = drawn('M15 5l-7 7 7 7');
export const ForwardIcon = drawn('M9 5l7 7-7 7');
export const DownIcon = drawn('M6 9l6 6 6-6');
export const LogoutIcon = drawn('M10 4H5v16h5M15 8l4 4-4 4M19 12H10');
export const CopyIcon = drawn('M9 9h11v11H9zM5 15H4V4h11v1');
export const DoneIcon = drawn('M5 12l5 5 9-10');
export const SearchIcon = drawn('M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14M20 20l-4-4');
export const InfoIcon = drawn('M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 11v5M12 8h.01');
export const ImageIcon = drawn('M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01');
export const UserIcon = drawn('M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8M4 20q1-5 8-5t8 5');
export const DownloadIcon = drawn('M12 4v11M7 11l5 5 5-5M5 20h14');
