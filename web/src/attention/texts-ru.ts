import type { AttentionKind } from '@ridewatch/contract/attention';
import type { MergeFailure } from '@ridewatch/contract/merges';
import type { JobClass } from '@ridewatch/contract/news';

const units = { s: 'с', min: 'мин', h: 'ч', d: 'д' };
interface Span {
  readonly count: number;
  readonly unit: keyof typeof units;
}
const span = ({ count, unit }: Span) => `${count} ${units[unit]}`;

/** Russian texts of what needs attention, and the type of the other languages. */
export const ru = {
  /** The titles of causes without a bus. */
  titles: { disk_full: 'Диск сервера', queue_starved: 'Фоновая работа' } as Partial<
    Record<AttentionKind, string>
  >,
  silent: (time: Span) => `нет связи ${span(time)}`,
  offline: (camera: string, time: Span) => `${camera} не в сети ${span(time)}`,
  imbalance: (percent: number, entered: string, exited: string) =>
    `вход и выход расходятся на ${percent} %: ${entered} / ${exited}`,
  mergeFailed: (camera: string, period: string, reason: string) =>
    `${camera}, ${period} не склеилось: ${reason}`,
  disk: (percent: number) => `заполнен на ${percent} %`,
  queue: (name: string, time: Span, waiting: string) =>
    `${name} — ждёт ${span(time)}, заданий: ${waiting}`,
  failures: {
    cancelled: 'отменено',
    no_video: 'не осталось видео',
    no_space: 'кончилось место',
    failed: 'файлы не сошлись',
  } satisfies Record<MergeFailure, string> as Record<MergeFailure, string>,
  classes: {
    laps: 'круги',
    slow: 'круги долгих дней',
    past: 'круги прошлых дней',
    video: 'видео',
    merges: 'склейки',
    reports: 'отчёты',
    recalculation: 'пересчёт',
    sweeps: 'уборка',
    attention: 'оповещения',
    schedule: 'ночные работы',
  } as Record<JobClass, string>,
};
export type AttentionTexts = typeof ru;
