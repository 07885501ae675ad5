import type { ReportFormat, ReportLanguage } from '@ridewatch/contract/reports';
import { useState } from 'react';
import { currentLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';

/** Gets the answer that a call reads from the network. */
export type Transport = (address: string, init: RequestInit) => Promise<Response>;

interface SaveTableProps {
  /** The words of the buttons, before the name of the format. */
  label: string;
  /** The name of the file unless the answer has one, without its ending. */
  name: string;
  /** Sends the call of a file through a transport. @throws after the call has shown a toast */
  send: (format: ReportFormat, language: ReportLanguage, transport: Transport) => Promise<unknown>;
}

/** Saves the rows of a section as a spreadsheet or as text. */
export function SaveTable({ label, name, send }: SaveTableProps) {
  const [busy, setBusy] = useState<ReportFormat>();
  const save = async (format: ReportFormat): Promise<void> => {
    setBusy(format);
    try {
      let answer: Response | undefined;
      await send(format, currentLanguage(), async (address, init) => {
        answer = await fetch(address, init);
        return answer;
      });
      const { saveAnswer } = await import('../reports/make-report.ts');
      if (answer) await saveAnswer(answer, `${name}.${format}`);
    } catch {
      // The call has shown a toast.
    } finally {
      setBusy(undefined);
    }
  };
  return (['xlsx', 'csv'] as const).map((format) => (
    <Button
      key={format}
      aria-label={`${label} ${format.toUpperCase()}`}
      isBusy={busy === format}
      onClick={() => void save(format)}
    >
      <DownloadIcon /> {format.toUpperCase()}
    </Button>
  ));
}
