import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of jobs, days that could not be worked out, and storage. */
export const system = {
  test: {
    title: 'Режим проверки',
    off: 'Данные прибора идут в счёт.',
    on: (when: string) =>
      `Проверка с ${when}. Данные хранятся, но их нет в счёте, кругах, деньгах и статистике.`,
    begin: 'Начать проверку',
    release: 'Засчитать и закончить',
    releaseText:
      'Всё, что прибор передал во время проверки, войдёт в счёт его автобуса. Дни пересчитаются.',
  },
  feed: {
    title: 'Что передаёт прибор',
    listen: 'Слушать 15 минут',
    until: (when: string) => `Запись до ${when}`,
    none: 'Записи пока нет. Начните слушать, и здесь появятся последние пакеты.',
    waits: 'Пакетов пока нет.',
    bytes: (count: string) => `${count} байт`,
    unread: 'Сервер не смог прочитать пакет, или он слишком велик.',
    answer: 'Ответ сервера',
  },
  jobs: {
    none: 'Сейчас ничего не ждёт и не выполняется.',
    task: 'Задание',
    class: 'Вид работы',
    attempts: 'Попытки',
    runAt: 'Когда',
    error: 'Ошибка',
    retry: 'Выполнить сейчас',
    states: {
      failed: 'не удалось',
      retrying: 'повторяется',
      waiting: 'ждёт',
      running: 'выполняется',
    },
    classes: {
      laps: 'круги',
      slow: 'круги долгих дней',
      past: 'круги прошлых дней',
      video: 'видео',
      merges: 'склейка видео',
      reports: 'отчёты',
      recalculation: 'пересчёт',
      sweeps: 'уборка',
      schedule: 'ночные работы',
    },
    figures: (waiting: string, running: string, minutes: number) =>
      `ждут ${waiting}, выполняются ${running}${minutes > 0 ? `, старшее ${minutes} мин` : ''}`,
    failed: (count: string) => `не удалось: ${count}`,
  },
  days: {
    none: 'Все дни рассчитаны.',
    date: 'День',
    reason: 'Причина',
    reasons: {
      too_long: 'расчёт шёл слишком долго',
      too_large: 'слишком много данных за день',
    },
    failures: 'Попыток',
    lastTry: 'Последняя попытка',
    nextTry: 'Следующая попытка',
    withData: 'с новыми данными прибора',
    waits: 'ждёт расчёта',
    stopped: 'не рассчитан',
    retry: 'Попробовать снова',
    open: 'Открыть день',
  },
  storage: {
    video: 'Видео',
    week: 'За неделю',
    fragments: 'Фрагментов',
    oldest: 'Самое старое',
    gib: (size: string) => `${size} ГБ`,
    mib: (size: string) => `${size} МБ`,
    disk: (percent: number) => `Диск занят на ${percent} %`,
    free: (free: string, total: string) => `свободно ${free} из ${total}`,
    daysLeft: (count: number | null) =>
      count === null
        ? 'Запас не ограничен'
        : `Хватит на ${count} ${ruForm(count, 'день', 'дня', 'дней')}`,
    until: (percent: number) => `до ${percent} %, когда удаляется старое видео`,
    s3: 'видео лежит в объектном хранилище',
    allVideo: 'всё видео',
  },
};
export type SystemTexts = typeof system;
