import type { Question } from '../question.ts';
import { advancedReport } from './advanced-report.ts';
import { busLoad } from './bus-load.ts';
import { passengerTraffic } from './passenger-traffic.ts';
import type { ReportRows } from './rows.ts';
import { tariffCalc } from './tariff-calc.ts';
import { testExport } from './test-export.ts';
import { workplacesReport } from './workplaces-report.ts';

/** The rows of a report by its kind. */
export function rowsOf(question: Question): ReportRows {
  const { parameters } = question;
  switch (parameters.kind) {
    case 'passenger-traffic':
      return passengerTraffic(question, parameters);
    case 'tariff-calc':
      return tariffCalc(question);
    case 'workplaces-report':
      return workplacesReport(question);
    case 'bus-load':
      return busLoad(question);
    case 'advanced-report':
      return advancedReport(question);
    case 'test-export':
      return testExport(question);
  }
}
