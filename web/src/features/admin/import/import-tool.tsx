import { exportTable, ImportKind } from '@ridewatch/contract/admin-import';
import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { useState } from 'react';
import { call } from '../../../calls/request.ts';
import { lazyComponent } from '../../../core/lazy-component.tsx';
import { Button } from '../../../ui/button.tsx';
import { DownloadIcon, drawn } from '../../../ui/icons.tsx';
import { SaveTable } from '../save-table.tsx';
import { SideActions } from '../side-actions.tsx';
import { useAdminText } from '../use-admin-text.ts';

const UploadIcon = drawn('M12 16V4M7 9l5-5 5 5M5 20h14');

const ImportDialog = lazyComponent(async () => (await import('./import-dialog.tsx')).ImportDialog);

interface ImportToolProps {
  section: AdminSection;
  isPhone: boolean;
  /** Beside a drawer, or on a phone. */
  isNarrow: boolean;
}

/** Saves the objects of a section as a table, and opens the dialog that loads one; nothing in sections without tables. */
export function ImportTool({ section, isPhone, isNarrow }: ImportToolProps) {
  const { loadTable, save } = useAdminText();
  const [isOpen, setOpen] = useState(false);
  const kind = ImportKind.options.find((one) => one === section);
  if (kind === undefined) return null;
  const saving = (
    <SaveTable
      label={save}
      name={kind}
      send={(format, language, transport) =>
        call(exportTable, { params: { kind }, query: { format, language }, transport })
      }
    />
  );
  return (
    <>
      {!isPhone && (
        <SideActions label={save} icon={<DownloadIcon />} isNarrow={isNarrow}>
          {() => saving}
        </SideActions>
      )}
      <Button
        aria-label={loadTable}
        title={isNarrow ? loadTable : undefined}
        onClick={() => setOpen(true)}
      >
        <UploadIcon /> {!isNarrow && loadTable}
      </Button>
      {isOpen && (
        <ImportDialog kind={kind} tool={isPhone && saving} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
