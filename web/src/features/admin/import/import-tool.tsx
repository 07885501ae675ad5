import { exportTable, ImportKind } from '@ridewatch/contract/admin-import';
import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { useState } from 'react';
import { call } from '../../../calls/request.ts';
import { lazyComponent } from '../../../core/lazy-component.tsx';
import { Button } from '../../../ui/button.tsx';
import { drawn } from '../../../ui/icons.tsx';
import { SaveTable } from '../save-table.tsx';
import { useAdminText } from '../use-admin-text.ts';

const UploadIcon = drawn('M12 16V4M7 9l5-5 5 5M5 20h14');

const ImportDialog = lazyComponent(async () => (await import('./import-dialog.tsx')).ImportDialog);

/** Saves the objects of a section as a table, and opens the dialog that loads one; nothing in sections without tables. */
export function ImportTool({ section, isPhone }: { section: AdminSection; isPhone: boolean }) {
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
      {!isPhone && saving}
      <Button aria-label={loadTable} onClick={() => setOpen(true)}>
        <UploadIcon /> {!isPhone && loadTable}
      </Button>
      {isOpen && (
        <ImportDialog kind={kind} tool={isPhone && saving} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
