import { countDays } from '@ridewatch/contract/day';
import { Warning } from '../../../page/warning.tsx';
import { DayChanges } from './day-changes.tsx';
import { FailedDays } from './failed-days.tsx';
import type { Preview } from './preview-span.ts';
import { useRecalculationText } from './recalculation-texts.ts';

/** The changes that a recalculation would make, as far as days were calculated. */
export function PreviewResult({ of, from, to }: { of: Preview; from: string; to: string }) {
  const text = useRecalculationText();
  const { items, failed, looked_until: until } = of;
  const looked = until === null ? 0 : countDays(from, until);
  const hasChanges = items.length > 0;
  return (
    <>
      {until !== to && (
        <Warning>{text.partLooked(looked, countDays(from, to), hasChanges)}</Warning>
      )}
      {until === to && !hasChanges && failed.length < looked && (
        <p role="status">{text.nothingChanges}</p>
      )}
      <FailedDays of={failed} />
      {hasChanges && <DayChanges items={items} />}
    </>
  );
}
