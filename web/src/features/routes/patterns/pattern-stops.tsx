import { RouteDirection } from '@ridewatch/contract/laps';
import type { RouteStop } from '@ridewatch/contract/routes';
import { useId } from 'react';
import { NoteButton } from '../../../edits/note-button.tsx';
import { useRouteText } from '../use-route-text.ts';
import styles from './pattern-stops.module.css';
import { UnusedStop, type UnusedStops } from './unused-stop.tsx';
import { usePatternText } from './use-pattern-text.ts';

/** A pattern has two stops at least. */
export const LEAST_STOPS = 2;

interface PatternStopsProps {
  /** All stops that patterns of the route have, in order. */
  stops: readonly RouteStop[];
  /** The stops of the pattern. */
  ids: readonly number[];
  isOpen: boolean;
  onIds: (ids: readonly number[]) => void;
  unused: UnusedStops;
}

/** The stops of a route by direction, each checked if the pattern has it. */
export function PatternStops(props: PatternStopsProps) {
  const { stops, ids, isOpen, onIds, unused } = props;
  const text = usePatternText();
  const { directions } = useRouteText();
  const id = useId();
  const chosen = new Set(ids);
  // In the order of the route.
  const withAll = (added: readonly RouteStop[]): number[] => {
    const wanted = new Set([...ids, ...added.map((stop) => stop.id)]);
    return stops.filter((stop) => wanted.has(stop.id)).map((stop) => stop.id);
  };
  const without = (gone: readonly RouteStop[]): number[] =>
    ids.filter((one) => gone.every((stop) => stop.id !== one));
  return (
    <div className={styles.all}>
      {RouteDirection.options.map((direction) => {
        const own = stops.filter((stop) => stop.routeDirection === direction);
        if (own.length === 0) return null;
        const count = own.filter((stop) => chosen.has(stop.id)).length;
        return (
          <fieldset
            key={direction}
            className={styles.section}
            aria-labelledby={`${id}${direction}`}
          >
            <p id={`${id}${direction}`} className={styles.heading}>
              <b>{directions[direction]}</b> <span>{text.stopsOf(count, own.length)}</span>
              {isOpen && (
                <NoteButton
                  onClick={() => onIds(count === own.length ? without(own) : withAll(own))}
                >
                  {count === own.length ? text.none : text.all}
                </NoteButton>
              )}
            </p>
            {own.map((stop) => (
              <div key={stop.id} className={styles.row}>
                <label className={styles.stop}>
                  <input
                    type="checkbox"
                    checked={chosen.has(stop.id)}
                    disabled={!isOpen}
                    onChange={(event) =>
                      onIds(event.target.checked ? withAll([stop]) : without([stop]))
                    }
                  />
                  <span>{stop.name}</span>
                </label>
                {isOpen && !unused.used.has(stop.id) && !chosen.has(stop.id) && (
                  <UnusedStop stop={stop} of={unused} />
                )}
              </div>
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}
