import { jobClassWords } from '@ridewatch/contract/job-class-words';
import type { Message, Notice } from '@ridewatch/contract/news';
import { wordIn } from '@ridewatch/contract/words';
import { currentLanguage } from '../../i18n/language.ts';
import { enForm, ruForm } from '../../i18n/plural.ts';

interface BannerText {
  readonly title: string;
  readonly text: string;
}
type NoticeOf<K extends Notice['kind']> = Extract<Notice, { kind: K }>;

/** The texts of a banner: those of the message, or for the server's own notices those of the language. */
export function noticeText({ title, text, notice }: Message): BannerText {
  if (notice === null) return { title, text };
  if (notice.kind === 'disk') return diskText(notice);
  const texts = currentLanguage() === 'en_US' ? en : ru;
  return notice.kind === 'jobs' ? texts.jobs(notice) : texts.laps(notice);
}

function diskText({ percent, deleted, until }: NoticeOf<'disk'>): BannerText {
  const day = until?.split('-').reverse().join('.') ?? '';
  if (currentLanguage() === 'en_US') {
    return {
      title: `The disk of the server is ${percent}\u00a0% full`,
      text:
        deleted === 0
          ? 'The oldest video that nobody keeps will be deleted.'
          : `To make room, the video of the ${deleted} oldest ${enForm(deleted, 'fragment', 'fragments')} was deleted in the last 24 hours, recorded up to ${day}. The counts stay, and so does what is marked as kept.`,
    };
  }
  return {
    title: `Диск сервера заполнен на ${percent}\u00a0%`,
    text:
      deleted === 0
        ? 'Самое старое видео, которое не отмечено для хранения, будет удаляться.'
        : `Чтобы освободить место, за последние 24 часа удалено видео ${deleted} ${ruForm(deleted, 'самого старого фрагмента', 'самых старых фрагментов', 'самых старых фрагментов')}: записи по ${day}. Подсчёты остались, и отмеченное для хранения тоже.`,
  };
}

const dayText = (day: string): string => day.split('-').reverse().join('.');

interface Texts {
  readonly jobs: (notice: NoticeOf<'jobs'>) => BannerText;
  readonly laps: (notice: NoticeOf<'laps'>) => BannerText;
}

const ru: Texts = {
  jobs: ({ classes }) => ({
    title: 'Фоновая работа отстаёт',
    text: `${classes
      .map(
        (one) =>
          `${wordIn('ru_RU', jobClassWords[one.class])}: ждёт ${one.waiting}, дольше всего ${one.minutes}\u00a0мин`,
      )
      .join('; ')}.`,
  }),
  laps: ({ days, buses, bus, day, reason }) => ({
    title: `Круги ${days} ${ruForm(days, 'дня', 'дней', 'дней')} не посчитаны`,
    text: `${buses} ${ruForm(buses, 'автобус', 'автобуса', 'автобусов')}; последний: ${bus}, ${dayText(day)}. ${reason === 'too_long' ? 'Расчёт занял больше 20\u00a0секунд: проверьте остановки и трек маршрута.' : 'За день слишком много данных: проверьте, что шлёт прибор.'}`,
  }),
};

const en: Texts = {
  jobs: ({ classes }) => ({
    title: 'Background work is behind',
    text: `${classes
      .map(
        (one) =>
          `${wordIn('en_US', jobClassWords[one.class])}: ${one.waiting} waiting, the oldest for ${one.minutes}\u00a0min`,
      )
      .join('; ')}.`,
  }),
  laps: ({ days, buses, bus, day, reason }) => ({
    title: `The laps of ${days} ${enForm(days, 'day', 'days')} could not be calculated`,
    text: `${buses} ${enForm(buses, 'bus', 'buses')}; the newest: ${bus}, ${dayText(day)}. ${reason === 'too_long' ? 'Working it out took more than 20\u00a0seconds: check the stops and the track of the route.' : 'The day has too many records: check what the unit sends.'}`,
  }),
};
