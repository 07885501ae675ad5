import type { ComponentType } from 'react';

/**
 * The code of pages, by the key of their title. It is in the list's file, which each signed-in screen loads: in the
 * table of screens each import would cost bytes before sign-in.
 */
const pageCode = {
  stats: async () => (await import('./features/stats/stats-screen.tsx')).StatsScreen,
  reports: async () => (await import('./features/reports/reports-screen.tsx')).ReportsScreen,
  advancedReport: async () =>
    (await import('./features/reports/advanced-report-screen.tsx')).AdvancedReportScreen,
  testExport: async () =>
    (await import('./features/reports/test-export-screen.tsx')).TestExportScreen,
};
export type PageName = keyof typeof pageCode;

/** Loads the code of a page. */
export function loadPage(name: PageName): Promise<ComponentType> {
  return pageCode[name]();
}
