import type { ToolDialogProps } from '../../bus-page/tools.ts';
import { Button } from '../../ui/button.tsx';
import { ReportDialog } from '../reports/report-dialog.tsx';
import styles from './bus-report.module.css';
import { SheetPreview } from './sheet-preview.tsx';
import { useSheetText } from './use-sheet-text.ts';

/** The report of a bus and the shown day: the file with the stops of its laps, and the sheet for printing. */
export function BusReport(props: ToolDialogProps) {
  const { id, name, date } = props.info;
  const text = useSheetText();
  if (props.addressed) return <SheetPreview {...props} />;
  return (
    <ReportDialog
      parameters={{ kind: 'workplaces-report', from: date, to: date, workplaceIds: [id] }}
      about={text.about(name)}
      onClose={props.onClose}
    >
      <section className={styles.sheet} aria-label={text.printTitle}>
        <h3>{text.printTitle}</h3>
        <p>{text.printText}</p>
        <Button onClick={() => props.onAddress('day')}>{text.open}</Button>
      </section>
    </ReportDialog>
  );
}
