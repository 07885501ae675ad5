import type { RouteStop } from '@ridewatch/contract/routes';
import { type SubmitEvent, useState } from 'react';
import { InlineField } from '../../../forms/inline-field.tsx';
import { Modal } from '../../../forms/modal.tsx';
import { useText } from '../../../i18n/language.ts';
import { Button } from '../../../ui/button.tsx';
import { useRouteText } from '../use-route-text.ts';
import type { PriceBook } from './price-book.ts';
import { editPrice } from './price-text.ts';
import { useZoning } from './use-zoning.ts';
import styles from './zones-dialog.module.css';

interface ZonesDialogProps {
  routeId: number;
  /** In the order of travel; prices are made for rides among them. */
  stops: readonly RouteStop[];
  book: PriceBook;
  onClose: () => void;
}

/** Fills the prices by the number of zones of a ride. */
export function ZonesDialog({ routeId, stops, book, onClose }: ZonesDialogProps) {
  const text = useRouteText();
  const common = useText().common;
  const [onlyEmpty, setOnlyEmpty] = useState(false);
  const zoning = useZoning(routeId, stops, book, onlyEmpty);
  const { filled, zoneProblem } = zoning;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (filled.length === 0) return;
    book.type(filled.map(({ from, to, cost }) => ({ from, to, text: editPrice(cost) })));
    onClose();
  };
  const state = () => {
    if (zoneProblem !== undefined) return `${text.zone}: ${zoneProblem}`;
    return zoning.hasBadPrice ? text.badPrice : text.willFill(filled.length);
  };
  return (
    <Modal title={text.zonesTitle} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <p className={styles.about}>{text.zonesText}</p>
        <Places zoning={zoning} />
        <Costs zoning={zoning} />
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={onlyEmpty}
            onChange={(event) => setOnlyEmpty(event.target.checked)}
          />
          {text.onlyEmpty}
        </label>
        <p role="status" className={styles.about}>
          {state()}
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
}

interface ZoningProps {
  zoning: ReturnType<typeof useZoning>;
}

/** Inputs for the zone of each place. */
function Places({ zoning }: ZoningProps) {
  const text = useRouteText();
  return (
    <ol className={styles.places}>
      {zoning.places.map(({ classifierId, name, typed, problem }, index) => (
        <li key={classifierId}>
          <InlineField
            label={name}
            aria-label={text.zoneOf(name)}
            inputMode="numeric"
            value={typed}
            problem={problem}
            button={
              index > 0 && (
                <button
                  type="button"
                  className={styles.raise}
                  aria-label={text.nextZone(name)}
                  title={text.nextZone(name)}
                  onClick={() => zoning.raise(index)}
                >
                  +1 ↓
                </button>
              )
            }
            onChange={(event) => zoning.setZone(classifierId, event.target.value)}
          />
        </li>
      ))}
    </ol>
  );
}

/** Inputs for the price by number of zones. */
function Costs({ zoning }: ZoningProps) {
  const text = useRouteText();
  return (
    <div className={styles.costs}>
      {zoning.prices.map(({ zones, typed, cost }) => (
        <InlineField
          key={zones}
          label={text.zonePrice(zones)}
          inputMode="decimal"
          value={typed}
          problem={cost === undefined ? text.badPrice : undefined}
          onChange={(event) => zoning.setCost(zones, event.target.value)}
        />
      ))}
    </div>
  );
}
