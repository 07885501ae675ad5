import type { listReports, Report } from '@ridewatch/contract/reports';
import type { AnswerOf } from '../calls/request.ts';
import { at } from './made.ts';

/** A report that is ready. */
export const report = (id: number, more: Partial<Report> = {}): Report => ({
  id,
  status: 'COMPLETE',
  format: 'xlsx',
  language: 'en_US',
  parameters: { kind: 'tariff-calc', from: '2026-02-01', to: '2026-02-28', workplaceIds: [7] },
  subjects: { total: 1, names: ['А 7 АА'] },
  progress: 100,
  fail_reason: null,
  created_at: at('10:00'),
  completed_at: at('10:05'),
  rows: 28_000,
  size_bytes: 1_234_000,
  file_name: 'Fares-and-salaries_2026-02-01_2026-02-28.xlsx',
  download: `/api/reports/${id}/download?hash=h`,
  expires_at: at('10:05', '2026-03-17'),
  ...more,
});

/** A report that a job makes. */
export const openReport = (id: number, progress: number): Report =>
  report(id, {
    status: 'PROCESS',
    progress,
    completed_at: null,
    rows: null,
    size_bytes: null,
    download: null,
    expires_at: null,
  });

/** A page of reports. */
export const reportPage = (
  items: readonly Report[],
  total = items.length,
): AnswerOf<typeof listReports> => ({
  items: [...items],
  number: 0,
  total,
  in_progress: items.filter(({ status }) => status === 'PROCESS').length,
});
