import { ruForm } from '../../i18n/plural.ts';
import type { MergedFrames } from './merge-period.ts';

/** Russian texts of merged videos, and the type of the other languages. */
export const ru = {
  title: 'Склейка видео',
  intro: 'Все фрагменты камеры за период станут одним файлом.',
  camera: 'Камера',
  from: 'Начало',
  to: 'Конец',
  limits: (from: string, to: string) => `Видео этого дня: ${from} – ${to}`,
  fragments: (withVideo: number, all: number) =>
    `Войдёт ${withVideo} из ${all} ${ruForm(all, 'фрагмента', 'фрагментов', 'фрагментов')} периода.`,
  frames: ({ size, scaled }: MergedFrames) =>
    scaled === 0
      ? `Размер кадра: ${size.width}×${size.height}.`
      : `Размер кадра: ${size.width}×${size.height}, самый большой из них. Под него ${ruForm(scaled, 'будет подогнан', 'будут подогнаны', 'будут подогнаны')} ${scaled} ${ruForm(scaled, 'фрагмент', 'фрагмента', 'фрагментов')} другого размера: это дольше.`,
  truncated: (count: number) =>
    `Видео ${count} ${ruForm(count, 'фрагмента обрывается', 'фрагментов обрывается', 'фрагментов обрывается')} раньше конца: недостающего не будет и в склейке.`,
  missing: 'Остальные ещё на регистраторе: их видео нужно сначала запросить.',
  allMissing: 'Видео этого периода ещё на регистраторе: его нужно сначала запросить.',
  fetchMissing: 'Запросить остальные',
  fetchAll: 'Запросить видео',
  fetching: (count: number) => `Запрошено фрагментов: ${count}. Склейте, когда они загрузятся.`,
  submit: 'Склеить',
  notSent:
    'Нет связи с сервером: запрос не отправлен. Нажмите «Склеить» ещё раз, когда она вернётся.',
  tooMany: (most: number) =>
    `Ещё не готово склеек: ${most}. Дождитесь одной из них или отмените её.`,
  accepted: 'Склейка началась. Её ход виден в уведомлениях.',
  noFragments: 'У этой камеры нет фрагментов за выбранный день.',
  problems: {
    from_early: 'Раньше первого фрагмента',
    from_late: 'Начало должно быть раньше конца',
    to_early: 'Конец должен быть позже начала',
    to_late: 'Позже последнего фрагмента',
    unreadable: 'Введите время',
    no_video: 'За этот период на сервере нет видео.',
  },
  statuses: {
    PROCESS: 'склеивается',
    FAILED: 'ошибка',
    COMPLETE: 'готово',
    SENT: 'скачано',
  },
  failures: {
    cancelled: 'Отменено',
    no_video: 'За этот период на сервере не осталось видео',
    no_space: 'На сервере кончилось место',
    failed: 'Файлы не удалось склеить',
  },
  again: 'Повторить',
  cancel: 'Отменить склейку',
  download: 'Скачать',
  downloading: (percent: number) => `Скачивание: ${percent} %`,
  stop: 'Прервать скачивание',
  downloadFailed: 'Скачать не удалось.',
  gone: 'Срок хранения этого файла истёк: он удалён. Склейку можно запросить снова.',
  details: 'Сведения о файле',
  sheet: 'Скачать сведения',
  about: {
    heading: 'Сведения о видеофайле',
    bus: 'Автобус',
    camera: 'Камера',
    zone: 'Часовой пояс',
    period: 'Период',
    utc: 'Период (UTC)',
    fragments: 'Фрагментов',
    duration: 'Длительность',
    size: 'Размер, байт',
    file: 'Файл',
    created: 'Запрошено',
  },
  kept: (until: string) => `до ${until}`,
  megabytes: 'МБ',
};
export type MergeTexts = typeof ru;
