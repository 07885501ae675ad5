import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  /** Work is in progress: the button keeps its width, says so and ignores clicks. */
  isBusy?: boolean;
  /** Why it cannot be pressed, its hover text; undefined if it can. `useLock` gives it to buttons that change something. */
  locked?: string | undefined;
}

/** A button with a label. */
export function Button(props: ButtonProps) {
  const { kind = 'plain', isBusy = false, locked, className, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      className={`${styles.button} ${className ?? ''}`}
      data-kind={kind}
      aria-busy={isBusy || undefined}
      title={locked ?? rest.title}
      disabled={isBusy || locked !== undefined || rest.disabled}
    />
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Accessible name and hover text. */
  label: string;
  /** As that of a button with a label. */
  locked?: string | undefined;
  children: ReactNode;
}

/** A button with an icon instead of a label. */
export function IconButton({ label, locked, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      {...rest}
      title={locked ?? rest.title ?? label}
      disabled={locked !== undefined || rest.disabled}
      className={`${styles.icon} ${className ?? ''}`}
    />
  );
}
