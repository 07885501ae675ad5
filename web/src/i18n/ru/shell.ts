export const shell = {
  buses: 'Автобусы',
  ungrouped: 'Без маршрута',
  bus: 'Автобус',
  review: 'На проверку',
  stats: 'Статистика',
  language: 'Язык',
  theme: 'Тема',
  light: 'Светлая',
  dark: 'Тёмная',
  system: 'Как в системе',
};
