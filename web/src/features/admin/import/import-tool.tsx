import { ImportKind } from '@ridewatch/contract/admin-import';
import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { useState } from 'react';
import { lazyComponent } from '../../../core/lazy-component.tsx';
import { Button } from '../../../ui/button.tsx';
import { drawn } from '../../../ui/icons.tsx';
import { useAdminText } from '../use-admin-text.ts';

const UploadIcon = drawn('M12 16V4M7 9l5-5 5 5M5 20h14');

const ImportDialog = lazyComponent(async () => (await import('./import-dialog.tsx')).ImportDialog);

/** Opens the dialog that loads a table into a section; nothing in sections that have none. */
export function ImportTool({ section, isPhone }: { section: AdminSection; isPhone: boolean }) {
  const { loadTable } = useAdminText();
  const [isOpen, setOpen] = useState(false);
  const kind = ImportKind.options.find((one) => one === section);
  if (kind === undefined) return null;
  return (
    <>
      <Button aria-label={loadTable} onClick={() => setOpen(true)}>
        <UploadIcon /> {!isPhone && loadTable}
      </Button>
      {isOpen && <ImportDialog kind={kind} onClose={() => setOpen(false)} />}
    </>
  );
}
