import { memo } from 'react';
import type { FactsOf } from './arrangement.ts';
import styles from './board.module.css';
import { BusAdmin } from './bus-admin.tsx';
import { Entered, Hours, Inside, Place } from './bus-parts.tsx';
import { BusStateText } from './bus-state.tsx';
import { CameraDots } from './camera-dots.tsx';
import { HeadingSums } from './headings.tsx';
import { Marks } from './marks.tsx';
import type { BusShownProps, ShownBusProps } from './row-props.ts';
import type { Row } from './rows.ts';
import type { ListTexts } from './texts-ru.ts';
import { useKnown } from './use-is-fast.ts';

/**
 * A bus as a row of the board. The row has few elements and no listeners (see use-card-actions.ts), because a search
 * renders a screen full of rows.
 */
export function BoardRow({ bus, route, isAdmin, shownOf }: ShownBusProps) {
  const known = useKnown(bus);
  return (
    <article className={styles.row} data-late={known?.id !== bus.id || undefined}>
      <a href={`/bus/${bus.id}`} className={styles.link}>
        <span className={styles.name}>
          {bus.name}
          {route !== undefined && <small> {route}</small>}
        </span>
      </a>
      <div className={styles.details} data-admin={isAdmin || undefined}>
        {known && <BoardParts {...shownOf(known)} />}
      </div>
    </article>
  );
}

// State, people of the day, people inside, place on its lap, cameras, what needs attention; for administrators also the
// device id and the menu of routes.
const BoardParts = memo(function BoardParts(props: BusShownProps) {
  const { bus, facts, madeAt, text, own, isAdmin } = props;
  const { figures } = facts;
  return (
    <>
      <BusStateText bus={bus} facts={facts} own={own} madeAt={madeAt} />
      {figures && (
        <>
          <Entered entered={figures.entered} own={own} />
          <Hours hours={figures.hours} />
          <Inside facts={facts} own={own} />
          <Place bus={bus} facts={facts} own={own} madeAt={madeAt} />
        </>
      )}
      <span className={styles.cameras}>
        <CameraDots bus={bus} facts={facts} text={text} />
      </span>
      <span className={styles.marks}>
        <Marks marks={facts.marks} own={own} />
      </span>
      {isAdmin && <BusAdmin {...props} />}
    </>
  );
});

interface BoardHeadingProps {
  row: Row;
  level: 'h2' | 'h3';
  title: string;
  /** Beside the title. */
  note: string;
  factsOf: FactsOf;
  own: ListTexts;
  isAdmin: boolean;
}

/** A heading of the board: a customer or a route with the sums of its buses. */
export function BoardHeading(props: BoardHeadingProps) {
  const { row, level: Level, title, note, factsOf, own, isAdmin } = props;
  const known = useKnown(row);
  return (
    <div
      className={row.kind === 'customer' ? `${styles.heading} ${styles.customer}` : styles.heading}
      data-late={known !== row || undefined}
    >
      <Level className={styles.title}>
        {title} <small>{note}</small>
      </Level>
      <div className={styles.details} data-admin={isAdmin || undefined}>
        {known && <HeadingSums row={known} factsOf={factsOf} own={own} />}
      </div>
    </div>
  );
}
