import { memo } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import type { Texts } from '../../i18n/ru/catalogue.ts';
import { type FactsOf, sumsOf } from './arrangement.ts';
import './board-row.css';
import './bus-parts.css';

import { Hours } from './hours.tsx';
import type { Heading } from './rows.ts';
import type { ListTexts } from './texts-ru.ts';
import { useKnown } from './use-is-fast.ts';

interface BoardHeadingProps {
  row: Heading;
  factsOf: FactsOf;
  text: Texts;
  own: ListTexts;
  isAdmin: boolean;
  hasCustomers: boolean;
}

/** The heading of a customer or route on the board, with the sums of its buses in their columns. */
export const BoardHeading = memo(function BoardHeading(props: BoardHeadingProps) {
  const { row, factsOf, text, own, isAdmin, hasCustomers } = props;
  // The sums follow the names; those of the same heading stay until then.
  const isSummed = useKnown(row)?.key === row.key;
  if (row.kind === 'customer') {
    const buses = row.section.routes.flatMap((route) => route.buses);
    const { entered, isKnown } = sumsOf(isSummed ? buses : [], factsOf);
    return (
      <h2 className="board-customer">
        {row.name}{' '}
        <small>
          {text.common.buses(buses.length)}
          {isKnown && ` · ${own.entered(entered)}`}
        </small>
      </h2>
    );
  }
  // Without headings of customers the headings of routes are one level higher.
  const Title = hasCustomers ? 'h3' : 'h2';
  const { name, buses } = row.route;
  const { entered, hours, inside, places, seated, states, isKnown } = sumsOf(
    isSummed ? buses : [],
    factsOf,
  );
  const share = places > 0 ? `${Math.round((100 * seated) / places)} %` : '';
  return (
    <div className="board-heading" data-admin={isAdmin || undefined}>
      <Title className="board-title">
        {name ?? text.shell.ungrouped} <small>{buses.length}</small>
      </Title>
      {isKnown && (
        <>
          <b className="part-number">{formatNumber(entered)}</b>
          <Hours hours={hours} isSum />
          <span className="part-inside">
            <b>{formatNumber(inside)}</b>
            <small>{share}</small>
          </span>
          <span className="part-lap">
            <small>{own.onLine(states.moving + states.standing)}</small>
          </span>
        </>
      )}
    </div>
  );
});
