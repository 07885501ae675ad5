import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of the review queue, and the type of the other languages. */
export const ru = {
  figures: 'сколько проверено',
  title: 'На проверку',
  ofAll: 'Фрагменты всех клиентов',
  doneToday: (done: string, of: string) => `Вы проверили сегодня ${done} из ${of}`,
  newer: (count: string) => `В начале очереди ещё ${count}`,
  toNewest: 'К началу очереди',
  reviewers: 'Кто проверял сегодня',
  queue: 'Очередь: время московское',
  inView: (people: number) =>
    `в кадре до ${people} ${ruForm(people, 'человека', 'человек', 'человек')}`,
  reviewedBy: (who: string) => `Проверил(а) ${who}`,
  openDay: 'Открыть день автобуса',
  emptyTitle: 'Всё проверено',
  emptyText:
    'Фрагментов, в которых подсчёт стоит посмотреть глазами, сейчас нет. Новые появятся здесь сами.',
  endTitle: 'Очередь пройдена',
  endText: (left: number) =>
    left === 0
      ? 'Больше ничего не ждёт проверки.'
      : `${ruForm(left, 'Остался', 'Осталось', 'Осталось')} ${left} ${ruForm(left, 'фрагмент', 'фрагмента', 'фрагментов')}: их пропустили или они появились, пока вы считали.`,
  failedTitle: 'Очередь не загрузилась',
  failedText: 'Проверьте связь и повторите. Введённое не потеряно.',
  noRightTitle: 'Проверять подсчёт может не каждый',
  noRightText: 'У вашей учётной записи нет права изменять подсчёт. Его даёт администратор.',
  fragmentFailed: 'Фрагмент не загрузился.',
};
export type ReviewTexts = typeof ru;
