import type { RouteStop } from '@ridewatch/contract/routes';
import type { HTMLAttributes, ReactNode } from 'react';
import { NoteButton } from '../../../edits/note-button.tsx';
import { SaveMark } from '../../../edits/save-mark.tsx';
import type { ChangeState } from '../../../edits/use-changes.ts';
import { useEditText } from '../../../edits/use-edit-text.ts';
import { useText } from '../../../i18n/language.ts';
import { useRouteText } from '../use-route-text.ts';
import styles from './stop-row.module.css';

interface StopRowProps {
  stop: RouteStop;
  isBegin: boolean;
  isSelected: boolean;
  isDragged: boolean;
  isDropBefore: boolean;
  isDropAfter: boolean;
  state: ChangeState | undefined;
  onSelect: () => void;
  /** Handlers that make the handle drag; without them the stop cannot move. */
  handle: HTMLAttributes<HTMLElement> | undefined;
  onStep: (by: 1 | -1) => void;
  /** Sends a change that got no answer again. */
  onRetry: () => void;
  children: ReactNode;
}

/** A stop in the list: its number, its name, and whether laps begin or turn there. */
export function StopRow(props: StopRowProps) {
  const { stop, isBegin, isSelected, isDragged, isDropBefore, isDropAfter, state } = props;
  const text = useRouteText();
  const common = useText().common;
  const { notSaved } = useEditText();
  return (
    <li
      data-stop={stop.id}
      className={styles.stop}
      data-dragged={isDragged || undefined}
      data-drop={(isDropBefore && 'before') || (isDropAfter && 'after') || undefined}
      data-selected={isSelected || undefined}
    >
      <div className={styles.row}>
        {props.handle && (
          <button
            type="button"
            data-handle
            className={styles.handle}
            aria-label={text.handle(stop.name)}
            title={text.handle(stop.name)}
            {...props.handle}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
              event.preventDefault();
              props.onStep(event.key === 'ArrowUp' ? -1 : 1);
            }}
          >
            <svg width="10" height="16" viewBox="0 0 10 16" fill="currentColor" aria-hidden="true">
              <path d="M1 1h3v3H1zM6 1h3v3H6zM1 6h3v3H1zM6 6h3v3H6zM1 11h3v3H1zM6 11h3v3H6z" />
            </svg>
          </button>
        )}
        <button
          type="button"
          className={styles.name}
          aria-expanded={isSelected}
          onClick={props.onSelect}
        >
          <span className={styles.order}>{stop.orderKey + 1}</span>
          <span className={styles.words}>
            {stop.name}
            {stop.terminal && (
              <span className={styles.tag}>
                {stop.terminal === 'first' ? text.terminalFirst : text.terminalLast}
              </span>
            )}
            {isBegin && (
              <span className={styles.tag} data-kind="begin">
                {text.lapsBegin}
              </span>
            )}
          </span>
        </button>
        {state && <SaveMark state={state.state} reason={state.reason} />}
      </div>
      {state?.state === 'failed' && (
        <p role="alert" className={styles.problem}>
          {notSaved}: {state.reason}{' '}
          {state.isUnanswered && <NoteButton onClick={props.onRetry}>{common.retry}</NoteButton>}
        </p>
      )}
      {props.children}
    </li>
  );
}
