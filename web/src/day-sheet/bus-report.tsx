import { useState } from 'react';
import type { ToolDialogProps } from '../bus-page/tools.ts';
import { ReportDialog } from '../reports/report-dialog.tsx';
import { Button } from '../ui/button.tsx';
import styles from './bus-report.module.css';
import { SheetPreview } from './sheet-preview.tsx';
import { useSheetText } from './use-sheet-text.ts';

/** The report of a bus and the shown day: the file with the stops of its laps, and the sheet for printing. */
export function BusReport({ info, zoneName, onClose }: ToolDialogProps) {
  const text = useSheetText();
  const [isSheet, setSheet] = useState(false);
  if (isSheet) return <SheetPreview info={info} zoneName={zoneName} onClose={onClose} />;
  const { date } = info;
  return (
    <ReportDialog
      parameters={{ kind: 'workplaces-report', from: date, to: date, workplaceIds: [info.id] }}
      about={text.about(info.name)}
      onClose={onClose}
    >
      <section className={styles.sheet} aria-label={text.printTitle}>
        <h3>{text.printTitle}</h3>
        <p>{text.printText}</p>
        <Button onClick={() => setSheet(true)}>{text.open}</Button>
      </section>
    </ReportDialog>
  );
}
