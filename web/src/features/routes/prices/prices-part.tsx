import type { RouteStop } from '@ridewatch/contract/routes';
import { useMemo, useState } from 'react';
import { NoteButton } from '../../../edits/note-button.tsx';
import { useText } from '../../../i18n/language.ts';
import { useAddress } from '../../../page/use-address.ts';
import { Waiting } from '../../../page/waiting.tsx';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { copyText } from '../../../ui/copy-text.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { showToast } from '../../../ui/toast-store.ts';
import type { RouteAddress } from '../address.ts';
import type { PartProps } from '../route-state.ts';
import { stopsInOrder, stopsOf } from '../stop-order.ts';
import type { ShownRoute } from '../use-route.ts';
import { useRouteText } from '../use-route-text.ts';
import { writeTable } from './price-block.ts';
import { type PriceBook, shownCost } from './price-book.ts';
import { PriceConflicts } from './price-conflicts.tsx';
import { PriceGrid } from './price-grid.tsx';
import styles from './prices-part.module.css';
import { useBookState, usePriceBook } from './use-price-book.ts';
import { ZonesDialog } from './zones-dialog.tsx';

type Scope = 'FORWARD' | 'REVERSE' | 'all';

/** The prices of rides from stop to stop. */
export function PricesPart({ route }: PartProps) {
  return route ? <Prices route={route} /> : null;
}

function Prices({ route }: { route: ShownRoute }) {
  const text = useRouteText();
  const { book, answer } = usePriceBook(route.routeId, route.day);
  const further = answer.data?.further_stops;
  const all = useMemo(() => [...route.stops, ...(further ?? [])], [route.stops, further]);
  const hasBack = stopsOf(all, 'REVERSE').length > 0;
  const { search, note } = useAddress<RouteAddress>();
  const scope = scopeOf(search.rides, hasBack);
  const [isFilling, setFilling] = useState(false);
  const [beyond, setBeyond] = useState(0);
  const stops = useMemo(
    () => (scope === 'all' ? stopsInOrder(all) : stopsOf(all, scope)),
    [all, scope],
  );
  if (route.stops.length < 2) {
    return <EmptyState title={text.noPricesTitle} text={text.noPricesText} />;
  }
  if (answer.error && !answer.data) {
    return <Waiting answer={answer} failed={text.failedTitle} bodyPx={480} />;
  }
  return (
    <div className={styles.part} aria-busy={answer.isPending || undefined}>
      <div className={styles.bar}>
        {hasBack && (
          <Choice
            label={text.priceScope}
            value={scope}
            options={[
              { value: 'FORWARD', label: text.directions.FORWARD },
              { value: 'REVERSE', label: text.directions.REVERSE },
              { value: 'all', label: text.wholeRound },
            ]}
            onChange={(chosen) =>
              note({ rides: chosen === 'FORWARD' ? undefined : chosen.toLowerCase() })
            }
          />
        )}
        <div className={styles.tools}>
          {route.isOpen && (
            <>
              <Button onClick={() => setFilling(true)}>{text.fillZones}</Button>
              <Undo book={book} />
            </>
          )}
          <TableCopy book={book} stops={stops} />
        </div>
        <Status book={book} stops={stops} beyond={beyond} />
      </div>
      <PriceConflicts book={book} />
      {answer.isPending ? (
        <Waiting bodyPx={480} />
      ) : (
        <PriceGrid
          key={scope}
          book={book}
          stops={stops}
          isOpen={route.isOpen}
          isOneWay={answer.data?.one_way === true}
          onBeyond={setBeyond}
        />
      )}
      {route.isOpen && <p className={styles.hint}>{text.priceHint}</p>}
      {isFilling && (
        <ZonesDialog
          routeId={route.routeId}
          stops={stops}
          book={book}
          onClose={() => setFilling(false)}
        />
      )}
    </div>
  );
}

function scopeOf(named: string | undefined, hasBack: boolean): Scope {
  if (!hasBack || named === 'all') return 'all';
  return named === 'reverse' ? 'REVERSE' : 'FORWARD';
}

interface TableProps {
  book: PriceBook;
  stops: readonly RouteStop[];
}

function Undo({ book }: { book: PriceBook }) {
  const text = useRouteText();
  const { canUndo } = useBookState(book);
  return (
    <Button disabled={!canUndo} onClick={() => book.undo()}>
      {text.undo}
    </Button>
  );
}

function TableCopy({ book, stops }: TableProps) {
  const text = useRouteText();
  const common = useText().common;
  const copy = async () => {
    const names = stops.map(({ name }) => name);
    const costs = stops.map((from) => stops.map((to) => shownCost(book.cellOf(from.id, to.id))));
    const isCopied = await copyText(writeTable({ rows: names, columns: names }, costs));
    if (isCopied) showToast({ kind: 'done', text: common.copied });
  };
  return <Button onClick={() => void copy()}>{text.copyTable}</Button>;
}

function Status({ book, stops, beyond }: TableProps & { beyond: number }) {
  const text = useRouteText();
  const common = useText().common;
  const { saving, failed, wrong } = useBookState(book);
  let unpriced = 0;
  stops.forEach((from, index) => {
    for (const to of stops.slice(index + 1)) {
      if (book.cellOf(from.id, to.id).cost === null) unpriced += 1;
    }
  });
  const total = (stops.length * (stops.length - 1)) / 2;
  return (
    <p role="status" className={styles.status}>
      <span data-kind={unpriced > 0 ? 'attention' : undefined}>
        {text.unpriced(unpriced, total)}
      </span>
      {saving > 0 && <span>{text.savingPrices(saving)}</span>}
      {wrong > 0 && <span data-kind="error">{text.wrongPrices(wrong)}</span>}
      {failed > 0 && (
        <span data-kind="error">
          {text.failedPrices(failed)} <NoteButton onClick={book.retry}>{common.retry}</NoteButton>
        </span>
      )}
      {beyond > 0 && <span data-kind="attention">{text.pasteBeyond(beyond)}</span>}
    </p>
  );
}
