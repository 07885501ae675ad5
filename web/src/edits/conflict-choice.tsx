import type { ReactNode } from 'react';
import styles from './conflict-choice.module.css';
import type { Edits } from './edits.ts';
import { NoteButton } from './note-button.tsx';

interface ConflictChoiceProps {
  /** The label of the button that overwrites what somebody else stored. */
  writeOwn: string;
  /** The label of the button that discards the own value. */
  leaveTheirs: string;
  onSettle: Edits<unknown, unknown>['settle'];
  /** Says who stored what. */
  children: ReactNode;
}

/** Says that somebody else stored another value meanwhile, and offers to overwrite it. */
export function ConflictChoice(props: ConflictChoiceProps) {
  const { writeOwn, leaveTheirs, onSettle, children } = props;
  return (
    <div role="alert" className={styles.conflict}>
      <span>{children}</span>
      <NoteButton onClick={() => onSettle('own')}>{writeOwn}</NoteButton>
      <NoteButton onClick={() => onSettle('theirs')}>{leaveTheirs}</NoteButton>
    </div>
  );
}
