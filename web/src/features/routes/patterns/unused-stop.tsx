import type { RouteStop } from '@ridewatch/contract/routes';
import { useState } from 'react';
import { NoteButton } from '../../../edits/note-button.tsx';
import { Modal } from '../../../forms/modal.tsx';
import { formatDay } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/language.ts';
import { Button } from '../../../ui/button.tsx';
import { useRouteText } from '../use-route-text.ts';
import styles from './pattern-stops.module.css';
import { usePatternText } from './use-pattern-text.ts';
import { usePatternProblem } from './use-patterns.ts';

/** The stops that no pattern has, in a list of stops. */
export interface UnusedStops {
  /** Ids of the stops that some pattern has. */
  readonly used: ReadonlySet<number>;
  /** From when on a stop leaves the route. */
  readonly day: string;
  readonly remove: (stop: RouteStop) => Promise<void>;
}

/** Says that no pattern has a stop any more, and removes it from the route when the user confirms. */
export function UnusedStop({ stop, of }: { stop: RouteStop; of: UnusedStops }) {
  const text = usePatternText();
  const { removeTitle, removeText, removeStop } = useRouteText();
  const common = useText().common;
  const reasonOf = usePatternProblem();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const remove = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      // It leaves the list, and this row with it.
      await of.remove(stop);
    } catch (error) {
      setProblem(reasonOf(error));
      setBusy(false);
    }
  };
  return (
    <div className={styles.unused}>
      {text.unused} <NoteButton onClick={() => setAsking(true)}>{removeStop}</NoteButton>
      {isAsking && (
        <Modal title={removeTitle(stop.name)} onClose={() => setAsking(false)}>
          <p>{removeText(formatDay(of.day))}</p>
          {problem && (
            <p role="alert" className={styles.problem}>
              {problem}
            </p>
          )}
          <div className={styles.actions}>
            <Button kind="danger" isBusy={isBusy} onClick={() => void remove()}>
              {removeStop}
            </Button>
            <Button onClick={() => setAsking(false)}>{common.cancel}</Button>
          </div>
        </Modal>
      )}
    </div>
  );
}
