import type { AttentionRow } from '@ridewatch/contract/home';
import type { MergeFailure } from '@ridewatch/contract/merges';
import { type Span, spanText } from '../i18n/format.ts';
import { ruForm } from '../i18n/plural.ts';

const units = { s: 'с', min: 'мин', h: 'ч', d: 'д' };
const span = (time: Span) => spanText(time, units);

const daysText = (days: number) => `${days} ${ruForm(days, 'день', 'дня', 'дней')}`;
const endText = (days: number) => {
  if (days < 0) return 'уже закончился';
  return days === 0 ? 'сегодня' : `через ${daysText(days)}`;
};

/** Russian texts of what needs attention, and the type of the other languages. */
export const ru = {
  /** The titles of causes without a bus; `upstream_unknown`: it refuses buses that it does not know. */
  titles: {
    disk_full: 'Диск сервера',
    queue_starved: 'Фоновая работа',
    runs_out: 'Скоро закончится',
    unknown_unit: 'Неизвестные приборы',
    upstream_late: 'Записи ждут передачи',
    upstream_refuses: 'Записи не приняты',
    upstream_unknown: 'Автобусы не заведены',
  } as Partial<Record<AttentionRow['details']['kind'] | 'upstream_unknown', string>>,
  /** `place`: the stop near which it was last. */
  silent: (time: Span, place: string | null) =>
    `нет связи ${span(time)}${place === null ? '' : `, последнее место — ${place}`}`,
  offline: (camera: string, time: Span) => `${camera} не в сети ${span(time)}`,
  imbalance: (percent: number, entered: string, exited: string) =>
    `вход и выход расходятся на ${percent} %: ${entered} / ${exited}`,
  mergeFailed: (camera: string, period: string, reason: string) =>
    `${camera}, ${period} не склеилось: ${reason}`,
  runsOut: {
    /** `machine`: empty where there is one only. */
    disk: (days: number, machine: string) =>
      `место на диске${machine && ` ${machine}`} — ${endText(Math.max(0, days))}. Сократите срок хранения или поставьте диск больше`,
    certificate: (days: number, host: string) =>
      `сертификат ${host} — ${endText(days)}. Обновите сертификат прокси, который отвечает по PUBLIC_URL`,
    api_key: (days: number, name: string) =>
      `ключ API «${name}» — ${endText(days)}. Его программе нужен новый`,
  },
  /** `machine`: null where there is one only. */
  disk: (percent: number, machine: string | null) =>
    `${machine === null ? '' : `${machine}: `}заполнен на ${percent} %`,
  /** `first`: the protocol and the number of the one that was heard first, at the moment beside it. */
  unknownUnits: (count: number, first: string) =>
    `передают: ${count}, первый — ${first}${first.endsWith('…') ? '' : '.'} Примите свои, остальные отметьте`,
  /** Setting that the numbers look like; the stored one is the other. */
  oddCounter: {
    cumulative:
      'счётчик, похоже, передаёт общий счёт, который только растёт. Проверьте, как прибор считает людей',
    delta:
      'счётчик, похоже, передаёт, сколько прошло с прошлого раза. Проверьте, как прибор считает людей',
  },
  /** The name of the upstream stands beside the title of these three. */
  upstreamLate: (time: Span) => `самая старая — ${span(time)}`,
  upstreamUnknown: (buses: number) =>
    `${buses} ${ruForm(buses, 'автобус', 'автобуса', 'автобусов')}, записи ждут`,
  upstreamRefuses: (reason: string, records: string) => `${reason}, всего ${records}`,
  queue: (name: string, time: Span, waiting: string) =>
    `${name} — ждёт ${span(time)}, заданий: ${waiting}`,
  noPrice: (passengers: number) =>
    `${passengers} ${ruForm(passengers, 'поездка', 'поездки', 'поездок')} без цены: выручка занижена`,
  lowRevenue: (percent: number, now: string, before: string) =>
    `выручка на ${percent} % меньше, чем неделю назад: ${now} против ${before}`,
  shortHandedIn: (day: string, handedIn: string, due: string) =>
    `${day}: сдано ${handedIn} вместо ${due}`,
  noSalary: (was: string) => `зарплата 0 %, раньше было ${was} %`,
  full: (inside: string, places: string, stop: string | null) =>
    `полон: ${inside} из ${places} мест${stop === null ? '' : `, → ${stop}`}`,
  standing: (time: Span, stop: string | null) =>
    `стоит на круге ${span(time)}${stop === null ? '' : `, ${stop}`}`,
  failures: {
    cancelled: 'отменено',
    no_video: 'не осталось видео',
    no_space: 'кончилось место',
    failed: 'файлы не сошлись',
  } satisfies Record<MergeFailure, string> as Record<MergeFailure, string>,
};
export type AttentionTexts = typeof ru;
