import { exportAudit } from '@ridewatch/contract/admin-audit';
import type { ReportFormat } from '@ridewatch/contract/reports';
import { useState } from 'react';
import { call, type InputOf } from '../../calls/request.ts';
import { currentLanguage } from '../../i18n/language.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import type { ListQuery } from './section.ts';
import { useAdminText } from './use-admin-text.ts';

/** The query of the log. An action is of one kind: the kind that is shown first must not hide it. */
export const auditQuery = ({ kind, ...query }: ListQuery): ListQuery =>
  query.action === undefined ? { kind, ...query } : query;

/** Saves the commands that the filters name as a spreadsheet or as text. */
export function AuditExport({ filters }: { filters: ListQuery }) {
  const text = useAdminText();
  const isPhone = useIsPhone();
  const [busy, setBusy] = useState<ReportFormat>();
  const save = async (format: ReportFormat): Promise<void> => {
    setBusy(format);
    try {
      let answer: Response | undefined;
      const transport = async (address: string, init: RequestInit) => {
        answer = await fetch(address, init);
        return answer;
      };
      const query = { ...auditQuery(filters), format, language: currentLanguage() };
      await call(exportAudit, { query, transport } as InputOf<typeof exportAudit>);
      const { saveAnswer } = await import('../reports/make-report.ts');
      if (answer) await saveAnswer(answer, `audit.${format}`);
    } catch {
      // The call has shown a toast.
    } finally {
      setBusy(undefined);
    }
  };
  return (['xlsx', 'csv'] as const).map((format) => (
    <Button
      key={format}
      aria-label={`${text.audit.save} ${format.toUpperCase()}`}
      isBusy={busy === format}
      onClick={() => void save(format)}
    >
      {!isPhone && text.audit.save} {format.toUpperCase()}
    </Button>
  ));
}
