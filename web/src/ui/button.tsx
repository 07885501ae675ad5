import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  /** Work is in progress: the button keeps its width, says so and ignores clicks. */
  isBusy?: boolean;
}

/** A button with a label. */
export function Button({ kind = 'plain', isBusy = false, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${styles.button} ${className ?? ''}`}
      data-kind={kind}
      aria-busy={isBusy || undefined}
      disabled={isBusy || rest.disabled}
    />
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Accessible name and hover text. */
  label: string;
  children: ReactNode;
}

/** A button with an icon instead of a label. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={`${styles.icon} ${className ?? ''}`}
    />
  );
}
