import type { KeyboardEvent, MouseEvent } from 'react';

interface TickSlider {
  /** The name of the chart. */
  readonly label: string;
  /** How many ticks it shows. */
  readonly count: number;
  /** The tick that is pointed at, from 0. */
  readonly at: number | undefined;
  /** The tick at which the arrow keys begin; 0 unless given. */
  readonly from?: number;
  /** The figures of the tick that is pointed at. */
  readonly said: string | undefined;
  readonly onAt: (at: number | undefined) => void;
  /** Called when Enter is pressed at a tick. */
  readonly onOpen?: (at: number) => void;
}

/**
 * Properties that make the element of a chart a slider over its ticks: arrow keys, Home and End point at a tick, Escape
 * at none, Enter opens it.
 */
export function tickSlider({ label, count, at, from = 0, said, onAt, onOpen }: TickSlider) {
  const last = count - 1;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || count === 0) return;
    const next = {
      ArrowLeft: at === undefined ? Math.min(from, last) : Math.max(at - 1, 0),
      ArrowRight: at === undefined ? Math.min(from, last) : Math.min(at + 1, last),
      ...{ Home: 0, End: last },
    };
    if (event.key in next) onAt(next[event.key as keyof typeof next]);
    else if (at === undefined) return;
    else if (event.key === 'Escape') onAt(undefined);
    else if (event.key === 'Enter' && onOpen) onOpen(at);
    else return;
    event.preventDefault();
  };
  return {
    ...{ role: 'slider', tabIndex: 0, 'aria-label': label, 'aria-valuetext': said ?? '—' },
    ...{
      'aria-valuemin': 1,
      'aria-valuemax': Math.max(count, 1),
      'aria-valuenow': (at ?? from) + 1,
    },
    onKeyDown,
    // A press leaves the focus where it is, with the keys of the player.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onBlur: () => onAt(undefined),
  } as const;
}
