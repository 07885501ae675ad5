import { folded } from '@ridewatch/contract/folded';
import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import { useId, useState } from 'react';
import { SearchBox } from '../../../ui/search-box.tsx';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';

interface FileChoicesProps {
  proposal: Pick<RouteProposal, 'choices' | 'choice'>;
  isBusy: boolean;
  /** The user selected one of several routes in the file. */
  onChoice: (choice: string) => void;
}

/** Longer lists have a search. */
const FEW = 7;
/** Rows shown at most; the search finds the others. */
const SHOWN = 100;

/** Lets the user select one of several routes in a file, by its full name. */
export function FileChoices({ proposal, isBusy, onChoice }: FileChoicesProps) {
  const { choices, choice } = proposal;
  const text = useRouteText();
  const id = useId();
  const [query, setQuery] = useState('');
  // Show the selection while the server reads the file again.
  const [picked, setPicked] = useState<string>();
  const shown = isBusy && picked !== undefined ? picked : choice;
  const wanted = folded(query);
  const found = choices.filter(({ name }) => folded(name).includes(wanted));
  return (
    <div className={styles.field}>
      <p className={styles.label}>{choice === null ? text.choiceHint : text.choice}</p>
      {choices.length > FEW && (
        <SearchBox
          className={styles.filter}
          label={text.filterChoices}
          value={query}
          onChange={setQuery}
        />
      )}
      <fieldset className={styles.choices} disabled={isBusy}>
        <legend className="visually-hidden">{text.choice}</legend>
        {found.slice(0, SHOWN).map((one) => (
          <label key={one.id}>
            <input
              type="radio"
              name={id}
              value={one.id}
              checked={one.id === shown}
              onChange={() => {
                setPicked(one.id);
                onChoice(one.id);
              }}
            />
            <span>{one.name}</span>
            <small>
              {one.stops > 0 ? text.stops(one.stops) : text.points(one.points)}
              {one.jump_m !== undefined && `, ${text.jump(one.jump_m / 1000)}`}
            </small>
          </label>
        ))}
      </fieldset>
      {found.length === 0 && <p role="status">{text.noMatch}</p>}
      {found.length > SHOWN && (
        <p className={styles.note}>{text.moreChoices(found.length - SHOWN)}</p>
      )}
    </div>
  );
}
