import type { Home } from '@ridewatch/contract/home';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { BusStates } from './bus-states.tsx';
import { changeText } from './change.ts';
import styles from './figures.module.css';
import { ReviewFigure } from './review-figure.tsx';
import type { HomeTexts } from './texts-ru.ts';

interface FiguresProps {
  home: Home;
  text: HomeTexts;
  canReview: boolean;
}

/** The strip of figures, each with last week's value and a link to its source. */
export function Figures({ home, text, canReview }: FiguresProps) {
  const { entered, exited, revenue, inside, day } = home;
  const [now, before] = [Number(revenue.now), Number(revenue.before)];
  const statsOf = (key: string) => ({ period: 'date', from: day, key, buses: 'all' });
  return (
    <section className={styles.strip} aria-label={text.figures}>
      <Figure
        to="/stats"
        search={statsOf('entered')}
        label={<Label side="entered">{text.entered}</Label>}
        value={formatNumber(entered.now)}
        change={changeText(entered.before, entered.now)}
        was={text.was(formatNumber(entered.before))}
      />
      <Figure
        to="/stats"
        search={statsOf('exited')}
        label={<Label side="exited">{text.exited}</Label>}
        value={formatNumber(exited.now)}
        change={changeText(exited.before, exited.now)}
        was={text.was(formatNumber(exited.before))}
      />
      <Figure
        to="/stats"
        search={statsOf('fare')}
        label={text.revenue}
        value={moneyText(now)}
        change={changeText(before, now)}
        was={text.was(moneyText(before))}
      />
      <Figure
        to="/buses"
        search={{ sort: 'inside' }}
        label={text.inside}
        value={formatNumber(inside.now)}
        change={changeText(inside.before, inside.now)}
        was={[
          text.was(formatNumber(inside.before)),
          inside.places > 0 && text.places(Math.round((inside.now / inside.places) * 100)),
        ]
          .filter(Boolean)
          .join(' · ')}
      />
      <BusStates states={home.buses} text={text} />
      {canReview && <ReviewFigure review={home.review} text={text} />}
    </section>
  );
}

interface FigureProps {
  to: '/stats' | '/buses';
  search: Readonly<Record<string, string>>;
  label: ReactNode;
  value: string;
  change: string | undefined;
  was: string;
}

function Figure({ to, search, label, value, change, was }: FigureProps) {
  return (
    <Link to={to} search={search} className={styles.figure}>
      <span className={styles.label}>{label}</span>
      <strong>{value}</strong>
      <small>
        {change && <b>{change}</b>} {was}
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

const money = new Intl.NumberFormat('ru-RU', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const moneyText = (roubles: number): string => `${money.format(roubles)}\u00a0₽`;
