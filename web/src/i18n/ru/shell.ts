export const shell = {
  buses: 'Автобусы',
  ungrouped: 'Без маршрута',
  bus: 'Автобус',
  review: 'На проверку',
  reports: 'Отчёты',
  advancedReport: 'Расширенный отчёт',
  testExport: 'Проверочная выгрузка',
  language: 'Язык',
  theme: 'Тема',
  light: 'Светлая',
  dark: 'Тёмная',
  system: 'Как в системе',
};
