import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Modal } from './modal.tsx';
import styles from './use-leave-question.module.css';

/** The words of the question. */
interface Question {
  readonly title: string;
  readonly text: string;
  readonly stay: string;
  readonly leave: string;
}

interface LeaveQuestion {
  /** The open question; null while nobody leaves. */
  readonly dialog: ReactNode;
  /** Lets the next change of the address pass. */
  readonly release: () => void;
  /** Whether somebody leaves whose question was answered because nothing would be lost any more. */
  readonly isLetGo: () => boolean;
}

/** Somebody leaves with all that would be lost: other forms of the page do not ask again. */
let isLeaving = false;

/**
 * Asks before somebody leaves a page that would lose something: by a link, by Back, or by closing it.
 * @param isAsking whether something would be lost now
 */
export function useLeaveQuestion(isAsking: boolean, question: Question): LeaveQuestion {
  const { history } = useRouter();
  const isReleased = useRef(false);
  const isLetGo = useRef(false);
  const [answer, setAnswer] = useState<((isStaying: boolean) => void) | null>(null);
  useEffect(() => {
    isReleased.current = false;
    if (!isAsking) return;
    return history.block({
      enableBeforeUnload: () => !isReleased.current,
      blockerFn: ({ currentLocation, nextLocation }) => {
        // Search and filters beside a form leave it as it is.
        const isHere = currentLocation.pathname === nextLocation.pathname;
        if (isReleased.current || isHere || isLeaving) return false;
        return new Promise<boolean>((resolve) => setAnswer(() => resolve));
      },
    });
  }, [isAsking, history]);
  useEffect(() => {
    if (isAsking || answer === null) return;
    // Nothing would be lost any more, for instance because it was saved meanwhile.
    isLetGo.current = true;
    answer(false);
    setAnswer(null);
  }, [isAsking, answer]);
  const settle = (isStaying: boolean): void => {
    if (!isStaying) {
      isLeaving = true;
      // The history asks the others right after this answer, before any timer.
      setTimeout(() => {
        isLeaving = false;
      });
    }
    answer?.(isStaying);
    setAnswer(null);
  };
  return {
    release: () => {
      isReleased.current = true;
    },
    isLetGo: () => isLetGo.current,
    dialog: answer && (
      <Modal title={question.title} onClose={() => settle(true)}>
        <p>{question.text}</p>
        <div className={styles.actions}>
          <Button kind="primary" onClick={() => settle(true)}>
            {question.stay}
          </Button>
          <Button kind="danger" onClick={() => settle(false)}>
            {question.leave}
          </Button>
        </div>
      </Modal>
    ),
  };
}
