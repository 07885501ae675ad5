import type { ReactNode } from 'react';
import { Popover } from '../../../forms/popover.tsx';
import { useIsPhone } from '../../../ui/breakpoints.ts';
import { DownIcon } from '../../../ui/icons.tsx';
import styles from './import-dialog.module.css';

interface SideActionsProps {
  /** The words of the button that opens them on a phone. */
  label: string;
  /** The buttons; `close` closes what they are in. */
  children: (close: () => void) => ReactNode;
}

/** Actions beside the main one: in a line, on a phone below one button. */
export function SideActions({ label, children }: SideActionsProps) {
  if (!useIsPhone()) return children(() => undefined);
  const button = (
    <>
      {label} <DownIcon />
    </>
  );
  return (
    <Popover label={label} buttonClass={styles.more} button={button}>
      {(close) => <div className={styles.menu}>{children(close)}</div>}
    </Popover>
  );
}
