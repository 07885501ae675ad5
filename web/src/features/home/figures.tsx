import type { Home } from '@ridewatch/contract/home';
import { Link } from '@tanstack/react-router';
import type { CSSProperties, ReactNode } from 'react';
import { idsText } from '../../buses/ids-text.ts';
import { formatMoney, formatNumber } from '../../i18n/format.ts';
import { BusStates } from './bus-states.tsx';
import { changeText } from './change.ts';
import { customerSearch } from './customer-search.ts';
import styles from './figures.module.css';
import { ReviewFigure } from './review-figure.tsx';
import type { HomeTexts } from './texts-ru.ts';

interface FiguresProps {
  home: Home;
  /** The number of all its buses. */
  buses: number;
  clientId: number | undefined;
  text: HomeTexts;
  canReview: boolean;
}

/** The strip of figures, each with last week's value and a link to its source. */
export function Figures({ home, buses: all, clientId, text, canReview }: FiguresProps) {
  const { entered, exited, revenue, inside, day, incomplete } = home;
  const [now, before] = [Number(revenue.now), Number(revenue.before)];
  const buses = home.bus_ids === null ? 'all' : idsText(home.bus_ids);
  const statsOf = (key: string) => ({ period: 'date', from: day, key, buses, until: 'now' });
  const ofCustomer = customerSearch(clientId);
  const part = incomplete > 0 && (
    <>
      {text.part(all - incomplete, all)} <span>{text.ofBuses(all)}</span>
    </>
  );
  return (
    <section className={styles.strip} aria-label={text.figures}>
      <Figure
        to="/stats"
        search={statsOf('entered')}
        label={<Label side="entered">{text.entered}</Label>}
        part={part}
        value={formatNumber(entered.now)}
        change={changeText(entered.before, entered.now)}
        was={text.was(formatNumber(entered.before))}
      />
      <Figure
        to="/stats"
        search={statsOf('exited')}
        label={<Label side="exited">{text.exited}</Label>}
        part={part}
        value={formatNumber(exited.now)}
        change={changeText(exited.before, exited.now)}
        was={text.was(formatNumber(exited.before))}
      />
      <Figure
        to="/stats"
        search={statsOf('fare')}
        label={text.revenue}
        part={part}
        value={formatMoney(now)}
        change={changeText(before, now)}
        was={text.was(formatMoney(before))}
      />
      <Figure
        to="/buses"
        search={{ sort: 'inside', ...ofCustomer }}
        label={text.inside}
        value={formatNumber(inside.now)}
        change={changeText(inside.before, inside.now)}
        was={text.was(formatNumber(inside.before))}
        share={
          inside.places > 0
            ? text.places(Math.round((inside.of_places / inside.places) * 100))
            : undefined
        }
      />
      <BusStates states={home.buses} ofCustomer={ofCustomer} text={text} />
      {canReview && <ReviewFigure review={home.review} ofCustomer={ofCustomer} text={text} />}
    </section>
  );
}

interface FigureProps {
  to: '/stats' | '/buses';
  search: Readonly<Record<string, string>>;
  label: ReactNode;
  /** Of how many buses the figure is, unless of all. */
  part?: ReactNode;
  value: string;
  change: string | undefined;
  was: string;
  /** Beside last week's value; where there is little room, in its place. */
  share?: string | undefined;
}

function Figure({ to, search, label, part, value, change, was, share }: FigureProps) {
  return (
    <Link to={to} search={search} className={`${styles.cell} ${styles.figure}`}>
      <span className={styles.label}>
        {label}
        {part && <em>{part}</em>}
      </span>
      <strong style={{ '--letters': value.length } as CSSProperties}>{value}</strong>
      <small>
        {change && <b>{change}</b>} <span data-yields={share !== undefined}>{was}</span>
        {share && <span data-share>{share}</span>}
      </small>
    </Link>
  );
}

const Label = ({ side, children }: { side: 'entered' | 'exited'; children: string }) => (
  <>
    <i className={styles.swatch} data-side={side} />
    {children}
  </>
);
