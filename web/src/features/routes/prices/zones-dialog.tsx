import type { RouteStop } from '@ridewatch/contract/routes';
import { type SubmitEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { Modal } from '../../../forms/modal.tsx';
import { useFormText } from '../../../forms/use-form-text.ts';
import { useText } from '../../../i18n/language.ts';
import { stored } from '../../../stored.ts';
import { Button } from '../../../ui/button.tsx';
import { useRouteText } from '../use-route-text.ts';
import type { PriceBook } from './price-book.ts';
import { editPrice, readPrice } from './price-text.ts';
import { fillFromZones, placesOf } from './zones.ts';
import styles from './zones-dialog.module.css';

const MOST_ZONE = 99;

interface ZonesDialogProps {
  groupId: number;
  /** In the order they are driven: prices are made for rides among them. */
  stops: readonly RouteStop[];
  book: PriceBook;
  onClose: () => void;
}

interface Zoning {
  /** Zone by classifier, as typed. */
  readonly zones: Readonly<Record<string, string>>;
  /** Price by number of zones less one, as typed. */
  readonly costs: readonly string[];
}

// Zones are only a way to fill the table: it alone is stored. What was typed last is here for the next time.
const kept = stored<Readonly<Record<string, Zoning>>>('ridewatch.zones', (raw) =>
  typeof raw === 'object' && raw !== null ? { ...raw } : {},
);

/** Prices by how many zones a ride touches. */
export function ZonesDialog({ groupId, stops, book, onClose }: ZonesDialogProps) {
  const text = useRouteText();
  const common = useText().common;
  const badZone = useFormText().problems.wholeBetween(1, MOST_ZONE);
  const all = useSyncExternalStore(kept.subscribe, kept.get);
  const { zones, costs } = all[groupId] ?? { zones: {}, costs: [] };
  const change = (next: Partial<Zoning>) =>
    kept.set({ ...kept.get(), [groupId]: { zones, costs, ...next } });
  const [onlyEmpty, setOnlyEmpty] = useState(false);
  const places = useMemo(() => placesOf(stops), [stops]);
  const typedOf = (classifierId: number) => zones[classifierId] ?? '1';
  const numbers = new Map(
    places.map(({ classifierId }) => [classifierId, zoneNumber(typedOf(classifierId))]),
  );
  const known = new Map(
    [...numbers].filter((one): one is [number, number] => one[1] !== undefined),
  );
  const span = known.size > 0 ? Math.max(...known.values()) - Math.min(...known.values()) + 1 : 1;
  const prices = Array.from({ length: span }, (_, index) => ({
    zones: index + 1,
    typed: costs[index] ?? '',
    cost: readPrice(costs[index] ?? ''),
  }));
  const isWrong = known.size < numbers.size || prices.some(({ cost }) => cost === undefined);
  const filled = isWrong
    ? []
    : fillFromZones(
        stops,
        known,
        prices.map(({ cost }) => cost ?? null),
      ).filter(({ from, to, cost }) => {
        const before = book.cellOf(from, to).cost;
        return onlyEmpty ? before === null : before !== cost;
      });
  const raise = (from: number) => {
    const later = places.slice(from);
    const raised = later.map(({ classifierId }) => [
      classifierId,
      String((numbers.get(classifierId) ?? 1) + 1),
    ]);
    change({ zones: { ...zones, ...Object.fromEntries(raised) } });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (filled.length === 0) return;
    book.type(filled.map(({ from, to, cost }) => ({ from, to, text: editPrice(cost) })));
    onClose();
  };
  return (
    <Modal title={text.zonesTitle} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <p className={styles.about}>{text.zonesText}</p>
        <ol className={styles.places}>
          {places.map(({ classifierId, name }, index) => (
            <li key={classifierId}>
              <span>{name}</span>
              {index > 0 && (
                <button
                  type="button"
                  className={styles.raise}
                  aria-label={text.nextZone(name)}
                  title={text.nextZone(name)}
                  onClick={() => raise(index)}
                >
                  +1 ↓
                </button>
              )}
              <input
                inputMode="numeric"
                aria-label={text.zoneOf(name)}
                value={typedOf(classifierId)}
                aria-invalid={numbers.get(classifierId) === undefined || undefined}
                title={numbers.get(classifierId) === undefined ? badZone : undefined}
                onChange={(event) =>
                  change({ zones: { ...zones, [classifierId]: event.target.value } })
                }
              />
            </li>
          ))}
        </ol>
        <div className={styles.costs}>
          {prices.map((price) => (
            <label key={price.zones}>
              {text.zonePrice(price.zones)}
              <input
                inputMode="decimal"
                value={price.typed}
                aria-invalid={price.cost === undefined || undefined}
                title={price.cost === undefined ? text.badPrice : undefined}
                onChange={(event) => {
                  const next = prices.map(({ typed }) => typed);
                  next[price.zones - 1] = event.target.value;
                  change({ costs: next });
                }}
              />
            </label>
          ))}
        </div>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={onlyEmpty}
            onChange={(event) => setOnlyEmpty(event.target.checked)}
          />
          {text.onlyEmpty}
        </label>
        <p role="status" className={styles.about}>
          {isWrong ? wrongText() : text.willFill(filled.length)}
        </p>
        <div className={styles.actions}>
          <Button type="submit" kind="primary" disabled={filled.length === 0}>
            {text.fill}
          </Button>
          <Button onClick={onClose}>{common.cancel}</Button>
        </div>
      </form>
    </Modal>
  );

  function wrongText(): string {
    return known.size < numbers.size ? `${text.zone}: ${badZone}` : text.badPrice;
  }
}

function zoneNumber(typed: string): number | undefined {
  return /^[1-9]\d?$/.test(typed.trim()) ? Number(typed) : undefined;
}
