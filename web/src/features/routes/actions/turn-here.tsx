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
  const { stops, suggested, chosen, told } = turn;
  const nameOf = (index: number): string => stops[index] ?? text.stopNumber(index + 1);
  // The first and the last stop are the terminal. A stop that is listed twice in a row is one place.
  const inner = stops
    .map((_, index) => index)
    .slice(1, -1)
    .filter((index) => told === null || index !== told + 1);
  const labelOf = (index: number): string => {
    if (index === told) return text.told(nameOf(index));
    return index === suggested ? text.farthest(nameOf(index)) : nameOf(index);
  };
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
        {told === null && <option value="">{text.turnNowhere}</option>}
        {inner.map((index) => (
          <option key={index} value={index}>
            {labelOf(index)}
          </option>
        ))}
      </select>
      {(chosen === null || (chosen === told && told !== suggested)) && (
        <Button kind="quiet" isBusy={isBusy} onClick={() => onTurn(suggested)}>
          {text.turnHere(nameOf(suggested))}
        </Button>
      )}
    </div>
  );
}
