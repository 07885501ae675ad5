import type { ReactNode } from 'react';
import { Popover } from '../../forms/popover.tsx';
import { DownIcon } from '../../ui/icons.tsx';
import styles from './side-actions.module.css';

interface SideActionsProps {
  /** The words of the button that opens them where there is little room. */
  label: string;
  /** Shown there instead of the words. */
  icon?: ReactNode;
  isNarrow: boolean;
  /** The buttons; `close` closes what they are in. */
  children: (close: () => void) => ReactNode;
}

/** Actions beside the main one: in a line, or below one button. */
export function SideActions({ label, icon, isNarrow, children }: SideActionsProps) {
  if (!isNarrow) return children(() => undefined);
  const button = (
    <>
      {icon ?? label} <DownIcon />
    </>
  );
  return (
    <Popover label={label} buttonClass={styles.more} button={button}>
      {(close) => <div className={styles.menu}>{children(close)}</div>}
    </Popover>
  );
}
