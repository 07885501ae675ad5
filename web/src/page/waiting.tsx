import type { ReactNode } from 'react';
import { useText } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { useFailureText } from './use-failure-text.ts';
import { useWaitingText } from './use-waiting-text.ts';
import styles from './waiting.module.css';

interface WaitingProps {
  /** Absent if nothing can fail. */
  answer?: { error: unknown; isFetching: boolean; refetch: () => unknown };
  /** Nothing else is on the page. */
  isPage?: boolean;
  /** Says what could not be loaded. */
  failed?: string;
  /** Heights of the expected content, px: what is above it, and itself. */
  headPx?: number;
  bodyPx: number;
  /** Content that is known already. */
  children?: ReactNode;
}

/** Replaces content until it is loaded: an outline, or after a failure a message with a retry. */
export function Waiting({
  answer,
  isPage = false,
  failed,
  headPx,
  bodyPx,
  children,
}: WaitingProps) {
  const text = useWaitingText();
  const common = useText().common;
  const why = useFailureText(answer?.error);
  if (answer?.error) {
    return (
      <EmptyState title={failed ?? text.failedTitle} text={why} isPage={isPage}>
        <Button kind="primary" isBusy={answer.isFetching} onClick={() => void answer.refetch()}>
          {common.retry}
        </Button>
      </EmptyState>
    );
  }
  return (
    <div className={styles.outline} aria-busy="true">
      {children}
      {headPx && <i style={{ height: headPx }} />}
      <i style={{ height: bodyPx }} />
    </div>
  );
}
