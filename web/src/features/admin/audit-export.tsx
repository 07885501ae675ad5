import { exportAudit } from '@ridewatch/contract/admin-audit';
import { call, type InputOf } from '../../calls/request.ts';
import { DownloadIcon } from '../../ui/icons.tsx';
import { SaveTable } from './save-table.tsx';
import type { ListQuery } from './section.ts';
import { SideActions } from './side-actions.tsx';
import { useAdminText } from './use-admin-text.ts';

/** The query of the log. An action is of one kind: the kind that is shown first must not hide it. */
export const auditQuery = ({ kind, ...query }: ListQuery): ListQuery =>
  query.action === undefined ? { kind, ...query } : query;

interface AuditExportProps {
  filters: ListQuery;
  isNarrow: boolean;
}

/** Saves the commands that the filters name as a spreadsheet or as text. */
export function AuditExport({ filters, isNarrow }: AuditExportProps) {
  const { save } = useAdminText();
  return (
    <SideActions label={save} icon={<DownloadIcon />} isNarrow={isNarrow}>
      {() => (
        <SaveTable
          label={save}
          name="audit"
          send={(format, language, transport) => {
            const query = { ...auditQuery(filters), format, language };
            return call(exportAudit, { query, transport } as InputOf<typeof exportAudit>);
          }}
        />
      )}
    </SideActions>
  );
}
