import type { Bus } from '@ridewatch/contract/buses';
import { memo } from 'react';
import { Inside, Place } from './board-row.tsx';
import { BusAdmin } from './bus-admin.tsx';
import type { BusShownProps } from './row-props.ts';
import './bus-card.css';
import { BusStateText } from './bus-state.tsx';
import { CameraDots } from './camera-dots.tsx';
import { Marks } from './marks.tsx';
import { useKnown } from './use-is-fast.ts';

interface BusCardProps {
  bus: Bus;
  /** Shown beside the name in a list without headings. */
  route: string | undefined;
  isAdmin: boolean;
  /** The rest of a bus. */
  shownOf: (bus: Bus) => BusShownProps;
}

/** A bus as a tile, and on phones: the same as a row of the board, without the hours. */
export function BusCard({ bus, route, isAdmin, shownOf }: BusCardProps) {
  const known = useKnown(bus);
  return (
    <article
      className="tile-card"
      data-admin={isAdmin || undefined}
      data-late={known?.id !== bus.id || undefined}
    >
      <a href={`/bus/${bus.id}`} className="tile-name">
        {bus.name}
        {route !== undefined && <small> {route}</small>}
      </a>
      {known && <CardParts {...shownOf(known)} />}
    </article>
  );
}

const CardParts = memo(function CardParts(props: BusShownProps) {
  const { bus, facts, madeAt, text, own, isAdmin } = props;
  const { figures } = facts;
  const entered = figures?.entered ?? null;
  return (
    <>
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
          <Inside facts={facts} own={own} isNamed />
        </>
      )}
      {isAdmin && <BusAdmin {...props} />}
    </>
  );
});
