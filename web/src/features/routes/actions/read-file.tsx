import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import { lazyComponent } from '../../../core/lazy-component.tsx';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';
import { FeedPatterns } from './feed-patterns.tsx';
import { FileChoices } from './file-choices.tsx';

// Few files need it.
const TurnHere = lazyComponent(async () => (await import('./turn-here.tsx')).TurnHere);

interface ReadFileProps {
  proposal: RouteProposal;
  isBusy: boolean;
  /** The user selected one of several routes in the file. */
  onChoice: (choice: string) => void;
  /** The user turns the route back at a stop; undefined: nowhere. */
  onTurn: (index: number | undefined) => void;
}

/** The result of reading a file: sizes, assumptions, and the choice among several routes. */
export function ReadFile({ proposal, isBusy, onChoice, onTurn }: ReadFileProps) {
  const text = useRouteText();
  const { choices, choice, track, stops, notes } = proposal;
  const hasNothing = track.length + stops.length === 0;
  return (
    <>
      {choices.length > 0 && (
        <FileChoices proposal={proposal} isBusy={isBusy} onChoice={onChoice} />
      )}
      {proposal.ways.length > 0 && choice !== null && (
        <FeedPatterns proposal={proposal} isBusy={isBusy} onChoice={onChoice} />
      )}
      {(choices.length === 0 || choice !== null) && (
        <p role="status" className={styles.figures}>
          {hasNothing ? (
            text.nothingInFile
          ) : (
            <>
              <span>{text.stops(stops.length)}</span>
              <span>{text.points(track.length)}</span>
            </>
          )}
        </p>
      )}
      {proposal.turn && <TurnHere turn={proposal.turn} isBusy={isBusy} onTurn={onTurn} />}
      {notes.length > 0 && (
        <div>
          <p className={styles.label}>{text.notes}</p>
          <ul className={styles.notes}>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
