import type { ReportKind } from '@ridewatch/contract/reports';
import type { Words } from '@ridewatch/contract/words';

/** The names of a report: of its file, and of its sheets. */
export const reportNames: Readonly<Record<ReportKind, Words>> = {
  'passenger-traffic': ['Пассажиропоток', 'Passenger traffic'],
  'tariff-calc': ['Расчёт выручки', 'Fares and salaries'],
  'workplaces-report': ['Отчёт по автобусам', 'Bus report'],
  'bus-load': ['Наполняемость', 'Bus load'],
  'advanced-report': ['Расширенный отчёт', 'Advanced report'],
  'test-export': ['Тестовая выгрузка', 'Test export'],
};

/** Headings that several reports share. */
export const headings = {
  bus: ['Автобус', 'Bus'],
  route: ['Маршрут', 'Route'],
  pattern: ['Вариант маршрута', 'Pattern'],
  day: ['Дата', 'Date'],
  hour: ['Час', 'Hour'],
  lap: ['Круг', 'Lap'],
  laps: ['Кругов начато', 'Laps begun'],
  direction: ['Направление', 'Direction'],
  entered: ['Вошло', 'Entered'],
  exited: ['Вышло', 'Exited'],
  capacity: ['Вместимость', 'Capacity'],
  greatestLoad: ['Наибольшее наполнение', 'Greatest load'],
  zone: ['Часовой пояс', 'Time zone'],
} as const satisfies Record<string, Words>;

/** Directions in cells. */
export const directions: Readonly<Record<string, Words>> = {
  FORWARD: ['Прямое', 'Forward'],
  REVERSE: ['Обратное', 'Back'],
};

/** Yes and no in cells. */
export const [YES, NO] = [
  ['да', 'yes'],
  ['нет', 'no'],
] as const satisfies readonly Words[];
