import { RouteDirection } from '@ridewatch/contract/laps';
import type { RouteStop } from '@ridewatch/contract/routes';
import { type ReactNode, useRef, useState } from 'react';
import type { ChangeState } from '../../../edits/use-changes.ts';
import { type StopPlace, stopsOf } from '../stop-order.ts';
import { useRouteText } from '../use-route-text.ts';
import styles from './stop-list.module.css';
import { StopRow } from './stop-row.tsx';
import { useDrag } from './use-drag.ts';

interface StopListProps {
  stops: readonly RouteStop[];
  isOpen: boolean;
  /** The stop at which the bus's laps begin, unless it is the route's first terminal. */
  beginId: number | null;
  selectedId: number | undefined;
  states: ReadonlyMap<number, ChangeState>;
  onSelect: (id: number | undefined) => void;
  onMove: (id: number, place: StopPlace) => void;
  /** Moves a stop one place up or down; returns the new place, undefined at either end. */
  onStep: (id: number, by: 1 | -1) => StopPlace | undefined;
  /** Sends the changes that got no answer again. */
  onRetry: () => void;
  /** Editor below the selected stop. */
  editor: ((stop: RouteStop) => ReactNode) | undefined;
}

/** The stops by direction; the user moves them by dragging or by keyboard. */
export function StopList(props: StopListProps) {
  const { stops, isOpen, beginId, selectedId, states, onSelect, onMove, onStep, editor } = props;
  const text = useRouteText();
  const list = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState('');
  const announce = (stop: RouteStop, { routeDirection, orderKey }: StopPlace) =>
    setSaid(text.movedTo(stop.name, text.directions[routeDirection], orderKey + 1));
  const { drag, handleOf } = useDrag(list, (id, place) => {
    const stop = stops.find((one) => one.id === id);
    if (!stop) return;
    if (stop.routeDirection === place.routeDirection && stop.orderKey === place.orderKey) return;
    announce(stop, place);
    onMove(id, place);
  });
  const step = (stop: RouteStop, by: 1 | -1) => {
    const place = onStep(stop.id, by);
    if (!place) return;
    announce(stop, place);
    // In the other direction's section the row is a new element: focus it.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-stop="${stop.id}"] [data-handle]`)?.focus(),
    );
  };
  const directions = RouteDirection.options.filter(
    (direction) => isOpen || stopsOf(stops, direction).length > 0,
  );
  return (
    <div ref={list} className={styles.list} data-dragging={drag ? true : undefined}>
      {directions.map((direction) => {
        const own = stopsOf(stops, direction);
        const others = own.filter(({ id }) => id !== drag?.id);
        const dropAt = drag?.place.routeDirection === direction ? drag.place.orderKey : undefined;
        return (
          <section key={direction} data-direction={direction} className={styles.section}>
            <h4 className={styles.heading}>
              {text.directions[direction]} <span>{own.length}</span>
            </h4>
            <ol>
              {own.map((stop) => (
                <StopRow
                  key={stop.id}
                  stop={stop}
                  isBegin={stop.id === beginId}
                  isSelected={stop.id === selectedId}
                  isDragged={stop.id === drag?.id}
                  isDropBefore={dropAt !== undefined && others[dropAt]?.id === stop.id}
                  isDropAfter={dropAt === others.length && others.at(-1)?.id === stop.id}
                  state={states.get(stop.id)}
                  onSelect={() => onSelect(stop.id === selectedId ? undefined : stop.id)}
                  handle={isOpen ? handleOf(stop.id) : undefined}
                  onStep={(by) => step(stop, by)}
                  onRetry={props.onRetry}
                >
                  {stop.id === selectedId && editor?.(stop)}
                </StopRow>
              ))}
            </ol>
            {own.length === 0 && (
              <p className={styles.empty} data-drop={dropAt !== undefined || undefined}>
                {text.dropHere}
              </p>
            )}
          </section>
        );
      })}
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </div>
  );
}
