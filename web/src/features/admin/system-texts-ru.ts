import type { spanOf } from '../../i18n/format.ts';
import { ruForm } from '../../i18n/plural.ts';

const units = { s: 'с', min: 'мин', h: 'ч', d: 'д' };

/** Russian texts of jobs, days that could not be worked out, and storage. */
export const system = {
  videoOff: {
    title: 'Видео не принимается.',
    old_ffmpeg:
      'На сервере только ffmpeg 2018 года без исправлений безопасности. Установите ffmpeg или укажите FFMPEG_PATH; с ALLOW_OLD_FFMPEG=yes сервер возьмёт старый.',
    no_ffmpeg: 'На сервере нет ffmpeg. Установите его или укажите FFMPEG_PATH.',
  },
  test: {
    title: 'Тестовый режим',
    off: 'Данные прибора засчитываются.',
    on: (when: string) =>
      `Тест с ${when}. Данные сохраняются, но не входят в подсчёт, круги, выручку и статистику.`,
    begin: 'Начать тест',
    release: 'Засчитать и закончить',
    releaseText:
      'Всё, что прибор передал во время теста, войдёт в подсчёт его автобуса. Дни пересчитаются.',
    releasing: (released: string, total: string) =>
      `Засчитывается: ${released} из ${total} записей.`,
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
    class: 'Вид',
    attempts: 'Попытки',
    runAt: 'Когда',
    error: 'Ошибка',
    errors: {
      space: 'кончилось место на диске',
      late: 'не успело в отведённое время',
      again: 'помешало другое задание',
      database: 'база данных была недоступна',
      link: 'другой сервер не ответил или отказал',
      store: 'хранилище файлов не ответило или отказало',
      file: 'нет нужного файла, или он короче, чем должен быть',
      video: 'видео не удалось обработать',
      program: 'ошибка в программе',
    },
    advice: {
      space:
        'Освободите место на диске: сократите срок хранения («Хранение») или поставьте диск больше. Затем нажмите «Выполнить сейчас».',
      late: 'Нажмите «Выполнить сейчас», когда сервер будет меньше занят. Если не успеет снова, сообщите разработчикам.',
      again: 'Ничего не сломано: нажмите «Выполнить сейчас».',
      database: 'Проверьте, что PostgreSQL работает и отвечает, затем нажмите «Выполнить сейчас».',
      link: 'Проверьте адрес другого сервера и связь с ним, затем нажмите «Выполнить сейчас».',
      store: 'Проверьте настройки S3 и отвечает ли хранилище, затем нажмите «Выполнить сейчас».',
      file: 'Верните файл из резервной копии, затем нажмите «Выполнить сейчас».',
      video:
        'Проверьте ffmpeg на сервере, затем нажмите «Выполнить сейчас». Если снова не удастся, сообщите разработчикам.',
      program:
        'Пришлите разработчикам запись об ошибке. После обновления нажмите «Выполнить сейчас».',
    },
    recorded: 'Запись об ошибке',
    retry: 'Выполнить сейчас',
    states: {
      failed: 'не удалось',
      retrying: 'повторяется',
      waiting: 'ждёт',
      running: 'выполняется',
    },
    tasks: {
      laps_of_day: 'круги дня',
      laps_of_slow_day: 'круги долгого дня',
      laps_of_past_day: 'круги прошлого дня',
      verify_upload: 'проверка видео',
      count_segment: 'подсчёт фрагмента',
      judge_clock: 'проверка часов записи',
      merge: 'склейка видео',
      make_report: 'отчёт',
      recalculate_laps: 'пересчёт кругов',
      recalculate_segments: 'пересчёт фрагментов',
      rebuild_hours: 'пересчёт часов',
      release_tests: 'зачёт теста',
      settle_days: 'итоги дней',
      make_profiles: 'итоги месяцев',
      sweep_uploads: 'поиск завершённых загрузок',
      sweep_open_uploads: 'поиск брошенных загрузок',
      sweep_merges: 'поиск потерянных склеек',
      sweep_reports: 'поиск потерянных отчётов',
      sweep_laps: 'поиск дней без кругов',
      place_aside: 'записи без времени',
      close_days: 'закрытие дней',
      end_month: 'закрытие месяца',
      watch_disk: 'проверка диска',
      watch_live: 'проверка прямого эфира',
      delete_media: 'удаление файлов',
      demo_silent_unit: 'молчащий прибор демонстрации',
      watch_attention: 'поиск того, что требует внимания',
      send_attention: 'отправка оповещений',
      retention: 'удаление устаревшего',
    } as Readonly<Record<string, string>>,
    age: 'В очереди',
    dueNow: 'сейчас',
    dueIn: (span: string) => `через ${span}`,
    dueSince: (span: string) => `ждёт ${span}`,
    span: ({ count, unit }: ReturnType<typeof spanOf>) => `${count} ${units[unit]}`,
    reportOf: (login: string) => `для ${login}`,
    figures: (waiting: string, running: string, oldest: string | undefined) =>
      `ждут ${waiting}, выполняются ${running}${oldest === undefined ? '' : `, дольше всего ${oldest}`}`,
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
    none: 'Здесь клиенты и то, что они хранят. Добавьте первого в разделе «Клиенты».',
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
    yearsLeft: (years: number) =>
      `Хватит больше чем на ${years} ${ruForm(years, 'год', 'года', 'лет')}`,
    until: (percent: number) => `до ${percent} %, когда удаляется старое видео`,
    s3: 'видео лежит в объектном хранилище',
    allVideo: 'всё видео',
    crowded:
      'Чтобы освободить место, задание удаляет самое старое видео, кроме того, что хранится без срока. Если другого нет или задание не удаётся, место будет убывать и дальше.',
    crowdedBeside: 'Растут база данных и рабочие файлы.',
    advice:
      'Сократите сроки хранения клиентам, которым хватит меньшего, или VIDEO_DAYS для всех, либо поставьте диск больше: руководство оператора из поставки (docs/install.md).',
    adviceBeside:
      'Сократите сроки хранения координат и файлов или поставьте диск больше: руководство оператора из поставки (docs/install.md).',
    toCustomers: 'Сроки хранения клиентов',
    toJobs: 'Неудавшиеся задания: среди них могут быть те, что освобождают диск',
    toRetention: 'Изменить сроки хранения',
  },
};
export type SystemTexts = typeof system;
