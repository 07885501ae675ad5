import type { RouteReplacement } from '@ridewatch/contract/routes';
import { Modal } from '../../../forms/modal.tsx';
import { formatDay } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/language.ts';
import { Button } from '../../../ui/button.tsx';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';

interface ReplacementProps {
  of: RouteReplacement;
  /** Name of the existing route. */
  route: string;
  day: string;
}

/** Says what a file or a lap changes in an existing route: which parts, and how many stops stay, come and go. */
export function Replacement({ of, route, day }: ReplacementProps) {
  const text = useRouteText();
  const from = formatDay(day);
  return (
    <div className={styles.note}>
      {of.track && <p>{text.trackReplaced(route, from)}</p>}
      {of.stops && (
        <p>
          {text.stopsReplaced(route, from)}{' '}
          <strong>{text.stopsMove(of.stops_kept, of.stops_added, of.stops_removed)}</strong>
        </p>
      )}
      {of.prices_removed > 0 && <p>{text.pricesGo(of.prices_removed)}</p>}
      <p>{text.daysBefore}</p>
    </div>
  );
}

interface LosesStopsProps extends ReplacementProps {
  onYes: () => void;
  onNo: () => void;
}

/** Asks before stops are removed. */
export function LosesStops({ onYes, onNo, ...replacement }: LosesStopsProps) {
  const text = useRouteText();
  const common = useText().common;
  return (
    <Modal title={text.losesStops(replacement.of.stops_removed)} onClose={onNo}>
      <Replacement {...replacement} />
      <div className={styles.actions}>
        <Button kind="danger" onClick={onYes}>
          {text.update}
        </Button>
        <Button onClick={onNo}>{common.cancel}</Button>
      </div>
    </Modal>
  );
}
