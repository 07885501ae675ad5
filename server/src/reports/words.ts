import type { ReportKind, ReportLanguage } from '@ridewatch/contract/reports';

/** A text in both languages: Russian, English. */
export type Words = readonly [ru: string, en: string];

/** A text in the language of a report. */
export function wordIn(language: ReportLanguage, [ru, en]: Words): string {
  return language === 'ru_RU' ? ru : en;
}

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
