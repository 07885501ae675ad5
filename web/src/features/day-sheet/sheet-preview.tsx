import { createPortal } from 'react-dom';
import type { ToolDialogProps } from '../../bus-page/tools.ts';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { useDayLaps } from '../../bus-page/use-day-laps.ts';
import { useDayFragments } from '../../fragment/use-day-fragments.ts';
import { useText } from '../../i18n/language.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { OverPage } from '../../ui/over-page.tsx';
import { DaySheet } from './day-sheet.tsx';
import styles from './sheet-preview.module.css';
import { useSheetText } from './use-sheet-text.ts';

/** The day as it will be printed, over the page; a print has nothing else. */
export function SheetPreview({ info, zoneName, onClose }: ToolDialogProps) {
  const text = useSheetText();
  const common = useText().common;
  const { date, isToday } = useBusPage();
  const answer = useDayFragments(info.id, date, isToday);
  const laps = useDayLaps(info.id, date, isToday, { isWanted: info.gps_trackable });
  const { data: day } = answer;
  const isWaiting = !day || (laps.isPending && info.gps_trackable);
  return createPortal(
    <OverPage label={text.printTitle} look={styles.over} onClose={onClose}>
      <div className={styles.bar}>
        <strong>{text.printTitle}</strong>
        <Button kind="primary" disabled={isWaiting} onClick={() => window.print()}>
          {text.print}
        </Button>
        <IconButton label={common.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </div>
      {isWaiting && !answer.isError && <div className={styles.waiting} aria-busy="true" />}
      {!day && answer.isError && (
        <p role="alert" className={styles.failed}>
          {text.failed} <Button onClick={() => void answer.refetch()}>{common.retry}</Button>
        </p>
      )}
      {day && !isWaiting && <DaySheet info={info} zoneName={zoneName} day={day} laps={laps.data} />}
    </OverPage>,
    document.body,
  );
}
