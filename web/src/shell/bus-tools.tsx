import { PanelOutline } from '../bus-page/tool-button.tsx';
import type { BusTool } from '../bus-page/tools.ts';
import { lazyComponent } from '../core/lazy-component.tsx';
import { drawn } from '../ui/icons.tsx';

/** The tools in the header of a bus's page, in order. The code of each loads when it is opened. */
export const busTools: readonly BusTool[] = [
  {
    title: (text) => text.report,
    isNamed: true,
    Icon: drawn('M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h7'),
    isFor: () => true,
    opens: 'dialog',
    addressKey: 'sheet',
    Content: lazyComponent(
      async () => (await import('../features/day-sheet/bus-report.tsx')).BusReport,
    ),
  },
  {
    title: (text) => text.recalculate,
    Icon: drawn('M20 12a8 8 0 1 1-2.3-5.7M20 3v4h-4'),
    isFor: ({ cameras }, user) => user?.role === 'ADMIN' && cameras.length > 0,
    opens: 'panel',
    Content: lazyComponent(
      async () => (await import('../features/recalculation/recalculate-form.tsx')).RecalculateForm,
      PanelOutline,
    ),
  },
  {
    title: (text) => text.mergeVideo,
    word: (text) => text.merge,
    Icon: drawn('M3 5h6v14H3zM15 5h6v14h-6zM9 12h6M12 9v6'),
    isFor: ({ cameras }) => cameras.length > 0,
    opens: 'dialog',
    Content: lazyComponent(
      async () => (await import('../features/merges/merge-dialog.tsx')).MergeDialog,
    ),
  },
];
