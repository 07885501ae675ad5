import type { ReactNode } from 'react';
import { useIsPhone } from '../../ui/breakpoints.ts';
import styles from './drawer.module.css';
import type { Property } from './section.ts';

interface DrawerPartProps {
  title: string;
  /** A button at the end of the title's line. */
  tool?: ReactNode;
  children: ReactNode;
}

/** A part of a row's drawer under its own title. */
export function DrawerPart({ title, tool, children }: DrawerPartProps) {
  // One level below the drawer's title.
  const Title = useIsPhone() ? 'h2' : 'h3';
  return (
    <section className={styles.part}>
      <header>
        <Title>{title}</Title>
        {tool}
      </header>
      {children}
    </section>
  );
}

/** Lists what the drawer of a row tells of it. */
export const factsOf = <Row,>(properties: readonly Property<Row>[], row: Row) =>
  properties.flatMap(({ label, value, inDrawer = value }) => {
    const told = inDrawer === 'none' ? undefined : inDrawer(row);
    return told === undefined ? [] : [[label, told] as const];
  });

/** Names with values, a line each; empty values are dashes. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === null || value === '' ? '—' : value}</dd>
        </div>
      ))}
    </dl>
  );
}
