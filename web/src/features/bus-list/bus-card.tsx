import { memo } from 'react';
import { type BusShownProps, Inside, Place } from './board-row.tsx';
import { BusAdmin } from './bus-admin.tsx';
import './bus-card.css';
import { BusStateText } from './bus-state.tsx';
import { CameraDots } from './camera-dots.tsx';
import { Marks } from './marks.tsx';

/** A bus as a tile, and on phones: the same as a row of the board, without the hours. */
export const BusCard = memo(function BusCard(props: BusShownProps) {
  const { bus, facts, madeAt, text, own, route, isAdmin } = props;
  const { figures } = facts;
  const entered = figures?.entered ?? null;
  return (
    <article className="tile-card" data-admin={isAdmin || undefined}>
      <a href={`/bus/${bus.id}`} className="tile-name">
        {bus.name}
        {route !== undefined && <small> {route}</small>}
      </a>
      <span className="tile-marks">
        <Marks marks={facts.marks} own={own} />
      </span>
      <span className="tile-cameras">
        <CameraDots bus={bus} facts={facts} text={text} />
      </span>
      <BusStateText bus={bus} facts={facts} own={own} madeAt={madeAt} />
      {figures && (
        <>
          <span className="tile-entered">
            {entered === null ? own.recounting : own.entered(entered)}
          </span>
          <Place bus={bus} facts={facts} own={own} madeAt={madeAt} />
          <Inside facts={facts} own={own} />
        </>
      )}
      {isAdmin && <BusAdmin {...props} />}
    </article>
  );
});
