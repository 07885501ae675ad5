import type { RouteReplacement } from '@ridewatch/contract/route-proposal';
import { Modal } from '../../../forms/modal.tsx';
import { formatDay } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/language.ts';
import { enForm, ruForm } from '../../../i18n/plural.ts';
import { textsOf } from '../../../i18n/texts-of.ts';
import { Button } from '../../../ui/button.tsx';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';

const ru = {
  patternsGo: (names: string) => `Варианты, которых больше не будет: ${names}.`,
  losesPatterns: (count: number) =>
    `Удалить ${count} ${ruForm(count, 'вариант', 'варианта', 'вариантов')}?`,
};
const en: typeof ru = {
  patternsGo: (names) => `Patterns that end: ${names}.`,
  losesPatterns: (count) => `Remove ${count} ${enForm(count, 'pattern', 'patterns')}?`,
};
const useReplacementText = textsOf({ ru_RU: ru, en_US: en });

interface ReplacementProps {
  of: RouteReplacement;
  /** Name of the existing route. */
  route: string;
  day: string;
}

/** Says what a file or a lap changes in an existing route: which parts, and how many stops stay, come and go. */
export function Replacement({ of, route, day }: ReplacementProps) {
  const text = useRouteText();
  const own = useReplacementText();
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
      {of.patterns_removed.length > 0 && <p>{own.patternsGo(of.patterns_removed.join(', '))}</p>}
      <p>{text.daysBefore}</p>
    </div>
  );
}

interface LosesStopsProps extends ReplacementProps {
  onYes: () => void;
  onNo: () => void;
}

/** Asks before stops or patterns are removed. */
export function LosesStops({ onYes, onNo, ...replacement }: LosesStopsProps) {
  const text = useRouteText();
  const own = useReplacementText();
  const common = useText().common;
  const { stops_removed: stops, patterns_removed: patterns } = replacement.of;
  return (
    <Modal
      title={stops > 0 ? text.losesStops(stops) : own.losesPatterns(patterns.length)}
      onClose={onNo}
    >
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
