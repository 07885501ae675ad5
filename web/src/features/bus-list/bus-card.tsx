import { memo } from 'react';
import { BusAdmin } from './bus-admin.tsx';
import styles from './bus-card.module.css';
import { Inside, Place } from './bus-parts.tsx';
import { BusStateText } from './bus-state.tsx';
import { CameraDots } from './camera-dots.tsx';
import { Marks } from './marks.tsx';
import type { BusShownProps, ShownBusProps } from './row-props.ts';
import { useKnown } from './use-is-fast.ts';

/** A bus as a tile, and on phones: the same as a row of the board, without the hours. */
export function BusCard({ bus, route, isAdmin, shownOf }: ShownBusProps) {
  const known = useKnown(bus);
  return (
    <article
      className={styles.card}
      data-admin={isAdmin || undefined}
      data-late={known?.id !== bus.id || undefined}
    >
      <a href={`/bus/${bus.id}`} className={styles.name}>
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
      <span className={styles.marks}>
        <Marks marks={facts.marks} own={own} />
      </span>
      <span className={styles.cameras}>
        <CameraDots bus={bus} facts={facts} text={text} />
      </span>
      <BusStateText bus={bus} facts={facts} own={own} madeAt={madeAt} />
      {figures && (
        <>
          <span className={styles.entered} data-recounting={entered === null || undefined}>
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
