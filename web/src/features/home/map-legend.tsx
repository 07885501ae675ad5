import type { FleetBus } from '../../map/map-parts.ts';
import styles from './map-legend.module.css';
import type { FleetTexts } from './use-fleet-text.ts';

/** The marks of the map, as web/src/map/fleet-marks.ts draws them. */
const MARKS: readonly (readonly [FleetBus['state'], React.JSX.Element])[] = [
  ['moving', <path key="m" d="M0-8l5.5 14.5l-5.5-3.2l-5.5 3.2z" transform="rotate(90)" />],
  [
    'standing',
    <g key="s">
      <circle r="7" />
      <path d="M-2-3v6M2-3v6" />
    </g>,
  ],
  [
    'silent',
    <g key="x">
      <circle r="7" />
      <path d="M-2.5-2.5l5 5M2.5-2.5l-5 5" />
    </g>,
  ],
  ['off', <circle key="o" r="6" />],
];

/** Explains the marks of the map. */
export function MapLegend({ text }: { text: FleetTexts }) {
  return (
    <ul className={styles.legend} aria-label={text.legend}>
      {MARKS.map(([state, mark]) => (
        <li key={state} data-state={state}>
          <svg viewBox="-9 -9 18 18" aria-hidden="true">
            {mark}
          </svg>
          {text.states[state](1)}
        </li>
      ))}
    </ul>
  );
}
