import { ReportFormat } from '@ridewatch/contract/reports';
import { Choice } from '../../ui/choice.tsx';
import { useReportText } from './use-report-text.ts';

interface FormatChoiceProps {
  format: ReportFormat;
  onFormat: (format: ReportFormat) => void;
}

/** The choice between a spreadsheet and text. */
export function FormatChoice({ format, onFormat }: FormatChoiceProps) {
  const text = useReportText();
  return (
    <Choice
      label={text.format}
      value={format}
      options={ReportFormat.options.map((value) => ({ value, label: text.formats[value] }))}
      onChange={onFormat}
    />
  );
}
