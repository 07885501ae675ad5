/** Russian texts of the bus list. */
export const ru = {
  searchPlaceholder: 'Номер автобуса или имя камеры',
  clearSearch: 'Очистить поиск',
  noMatchTitle: 'Ничего не найдено',
  noMatchText: (query: string) => `Нет автобуса или камеры с именем «${query}».`,
  emptyTitle: 'Автобусов пока нет',
  emptyText: 'Они появятся здесь, как только их заведёт администратор.',
  failedText: 'Список автобусов не загрузился. Проверьте связь и повторите.',
  never: 'ещё не выходил на связь',
  closeBanner: (title: string) => `Закрыть объявление «${title}»`,
  move: (bus: string) => `Переместить ${bus}`,
  moveTo: (route: string) => `В группу ${route}`,
  removeFromRoute: 'Убрать из группы',
};

/** The type of the other languages. */
export type ListTexts = typeof ru;
