import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import { useId } from 'react';
import { Button } from '../../../ui/button.tsx';
import styles from './action-form.module.css';
import { useTurnText } from './turn-texts.ts';

interface TurnHereProps {
  turn: NonNullable<RouteProposal['turn']>;
  isBusy: boolean;
  /** Undefined: the route does not turn back. */
  onTurn: (index: number | undefined) => void;
}

/** Lets the user say where buses turn back on a loop; the farthest stop is one press away. */
export function TurnHere({ turn, isBusy, onTurn }: TurnHereProps) {
  const text = useTurnText();
  const id = useId();
  const { stops, suggested, chosen } = turn;
  const nameOf = (index: number): string => stops[index] ?? text.stopNumber(index + 1);
  // The first and the last stop are the terminal.
  const inner = stops.map((_, index) => index).slice(1, -1);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {text.turnAt}
      </label>
      <select
        id={id}
        className={styles.turn}
        disabled={isBusy}
        value={chosen ?? ''}
        onChange={({ target }) => onTurn(target.value === '' ? undefined : Number(target.value))}
      >
        <option value="">{text.turnNowhere}</option>
        {inner.map((index) => (
          <option key={index} value={index}>
            {index === suggested ? text.farthest(nameOf(index)) : nameOf(index)}
          </option>
        ))}
      </select>
      {chosen === null && (
        <Button kind="quiet" isBusy={isBusy} onClick={() => onTurn(suggested)}>
          {text.turnHere(nameOf(suggested))}
        </Button>
      )}
    </div>
  );
}
