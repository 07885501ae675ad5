import type { Question } from '../question.ts';
import { advancedReport } from './advanced-report.ts';
import { busLoad } from './bus-load.ts';
import type { ReportRows } from './rows.ts';
import { testExport } from './test-export.ts';
import { workplacesReport } from './workplaces-report.ts';

/** The rows of a report by its kind. */
export function rowsOf(question: Question): ReportRows {
  switch (question.parameters.kind) {
    case 'workplaces-report':
      return workplacesReport(question);
    case 'bus-load':
      return busLoad(question);
    case 'advanced-report':
      return advancedReport(question);
    case 'test-export':
      return testExport(question);
    case 'passenger-traffic':
    case 'tariff-calc':
      throw new Error('TODO');
  }
}
