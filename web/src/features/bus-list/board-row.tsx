import { type CSSProperties, memo } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import type { BusShownProps } from './row-props.ts';
import './board-row.css';
import { BusAdmin } from './bus-admin.tsx';
import type { BusFacts } from './bus-facts.ts';
import './bus-parts.css';

import { BusStateText } from './bus-state.tsx';
import { CameraDots } from './camera-dots.tsx';
import { Hours } from './hours.tsx';
import { LapLine } from './lap-line.tsx';
import { Marks } from './marks.tsx';
import type { ListTexts } from './texts-ru.ts';

/** Older than this the place on a lap says its age, ms. */
const OLD_MS = 5 * 60_000;
const FULL_PERCENT = 90;

/**
 * What a row of the board says of a bus besides its name: state, people of the day, people inside, place on its lap,
 * cameras, what needs attention; for administrators also the device id and the menu of routes. A search renders a screen
 * full of rows, so a row has few elements and no listeners (see use-card-actions.ts), and gets its texts from the list.
 */
export const BoardParts = memo(function BoardParts(props: BusShownProps) {
  const { bus, facts, madeAt, text, own, isAdmin } = props;
  const { figures } = facts;
  return (
    <>
      <BusStateText bus={bus} facts={facts} own={own} madeAt={madeAt} />
      {figures ? (
        <>
          <Entered entered={figures.entered} own={own} />
          <Hours hours={figures.hours} />
          <Inside facts={facts} own={own} />
          <Place bus={bus} facts={facts} own={own} madeAt={madeAt} />
        </>
      ) : (
        <span className="board-unknown" />
      )}
      <span className="board-cameras">
        <CameraDots bus={bus} facts={facts} text={text} />
      </span>
      <span className="board-marks">
        <Marks marks={facts.marks} own={own} />
      </span>
      {isAdmin && <BusAdmin {...props} />}
    </>
  );
});

function Entered({ entered, own }: { entered: number | null; own: ListTexts }) {
  const said = entered === null ? own.recounting : own.entered(entered);
  return (
    <b className="part-number" role="img" aria-label={said} title={said}>
      {entered === null ? '…' : formatNumber(entered)}
    </b>
  );
}

interface InsideProps {
  facts: BusFacts;
  own: ListTexts;
  /** Says in words what the number is: there is no head of a column above it. */
  isNamed?: boolean;
}

/** People inside with their share of the places. */
export function Inside({ facts, own, isNamed = false }: InsideProps) {
  const { figures, load } = facts;
  const inside = figures?.inside ?? null;
  if (inside === null) return isNamed ? null : <span className="part-inside">—</span>;
  const share = load === null || !figures?.places ? '' : own.load(load, figures.places);
  const said = [own.inside(inside), share].filter(Boolean).join(' · ');
  const isFull = load !== null && load >= FULL_PERCENT;
  return (
    <span
      className="part-inside"
      role="img"
      aria-label={said}
      title={said}
      data-full={isFull || undefined}
    >
      <b>{isNamed ? own.inside(inside) : formatNumber(inside)}</b>
      {load !== null && (
        <i className="part-bar" style={{ '--load': `${Math.max(0, load)}%` } as CSSProperties} />
      )}
      <small>{share}</small>
    </span>
  );
}

type PlaceProps = Pick<BusShownProps, 'bus' | 'facts' | 'own' | 'madeAt'>;

/** The place of a bus on its lap. */
export function Place({ bus, facts, own, madeAt }: PlaceProps) {
  const lap = facts.figures?.lap ?? null;
  if (lap === null) {
    return <span className="part-lap">{bus.group === null && <small>{own.noRoute}</small>}</span>;
  }
  const stop = lap.next ?? lap.stop ?? '';
  const ageMs = Date.parse(madeAt ?? lap.as_of) - Date.parse(lap.as_of);
  const age = ageMs > OLD_MS ? own.asOf(own.lasting(ageMs)) : undefined;
  const said = [own.lapAt(lap.number, stop), age].filter(Boolean).join(' · ');
  const isMoving = facts.state === 'moving' && !lap.ended;
  return (
    <span className="part-lap" role="img" aria-label={said} title={said}>
      <small className="part-lap-number">{own.lap(lap.number)}</small>
      <LapLine lap={lap} isMoving={isMoving} />
      <span className="part-stop">
        {lap.next !== null && '→ '}
        {stop}
        {age !== undefined && <small> · {age}</small>}
      </span>
    </span>
  );
}
