// The words of mails. Screens have their own.
import type { Cause, CauseDetails } from '@ridewatch/contract/attention';
import { FALLBACK_ZONE, formatMoment, offsetLabel } from '@ridewatch/contract/day';
import { egtsResultCodeText, UNKNOWN_OBJECT } from '@ridewatch/contract/egts-result-words';
import { jobClassWords } from '@ridewatch/contract/job-class-words';
import { protocolNames } from '@ridewatch/contract/unit-protocols';
import { wordIn } from '@ridewatch/contract/words';

type Language = 'ru_RU' | 'en_US';
type DetailsOf<Kind> = Extract<CauseDetails, { kind: Kind }>;
type Words = {
  readonly subject: (count: number) => string;
  readonly route: (name: string) => string;
  readonly since: (time: string) => string;
  readonly test: string;
  /** The next thing to do about a cause of the installation; screens say the same beside its notice. */
  readonly advice: {
    readonly [What in DetailsOf<'runs_out'>['what'] | 'queue_starved']: string;
  };
} & {
  readonly [Kind in CauseDetails['kind']]: (details: DetailsOf<Kind>) => string;
};

const diskOf = (machine: string | null) =>
  machine === null ? "the server's disk" : `the disk of ${machine}`;

const words: Readonly<Record<Language, Words>> = {
  ru_RU: {
    subject: (count) => `требует внимания: ${count}`,
    route: (name) => `маршрут ${name}`,
    since: (time) => `с ${time}`,
    test: 'проверка: так придут сообщения о том, что требует внимания',
    silent_bus: ({ place }) =>
      place === null ? 'нет связи' : `нет связи, последнее место — ${place}`,
    camera_offline: () => 'камера не в сети',
    imbalance: (own) =>
      `вход и выход расходятся на ${own.percent} %: ${own.entered} / ${own.exited}`,
    merge_failed: () => 'видео не склеилось',
    advice: {
      disk: 'Сократите срок хранения или поставьте диск больше.',
      certificate: 'Обновите сертификат прокси, который отвечает по PUBLIC_URL.',
      api_key: 'Его программе нужен новый.',
      queue_starved: 'Откройте «Управление» → «Задания»: там сказано, что делать.',
    },
    runs_out: ({ what, name, days }) => {
      if (what === 'disk') {
        const of = name ?? 'сервера';
        return days < 1
          ? `место на диске ${of} кончится сегодня`
          : `места на диске ${of} хватит на ${days} дн.`;
      }
      const thing = what === 'certificate' ? `сертификат ${name}` : `ключ API «${name}»`;
      if (days < 0) return `${thing} закончился`;
      return days === 0 ? `${thing} закончится сегодня` : `${thing}: осталось ${days} дн.`;
    },
    disk_full: (own) => `диск ${own.machine ?? 'сервера'} заполнен на ${own.percent} %`,
    queue_starved: (own) =>
      `фоновая работа «${wordIn('ru_RU', jobClassWords[own.class])}» стоит ${own.minutes} мин, ждут: ${own.waiting}`,
    unknown_unit: (own) =>
      `передают неизвестные приборы: ${own.count}, первый — ${protocolNames[own.protocol]} ${own.name}`,
    upstream_late: ({ name }) => `записи ждут передачи: «${name}»`,
    upstream_refuses: ({ name, code, number }) =>
      code === UNKNOWN_OBJECT
        ? `«${name}» не принимает записи: там не заведены автобусы — ${number}`
        : `«${name}» не принимает записи: ${egtsResultCodeText('ru_RU', code)}, всего ${number}`,
    odd_counter: ({ looks }) =>
      looks === 'cumulative'
        ? 'счётчик, похоже, передаёт общий счёт, который только растёт: проверьте в форме прибора, как он считает'
        : 'счётчик, похоже, передаёт, сколько прошло с прошлого раза: проверьте в форме прибора, как он считает',
  },
  en_US: {
    subject: (count) => `needs attention: ${count}`,
    route: (name) => `route ${name}`,
    since: (time) => `since ${time}`,
    test: 'test: messages about what needs attention come like this one',
    silent_bus: ({ place }) =>
      place === null ? 'sends nothing' : `sends nothing, last near ${place}`,
    camera_offline: () => 'camera offline',
    imbalance: (own) =>
      `entered and exited differ by ${own.percent} %: ${own.entered} / ${own.exited}`,
    merge_failed: () => 'the video was not merged',
    advice: {
      disk: 'Shorten the retention or add a larger disk.',
      certificate: 'Renew the certificate of the proxy that serves PUBLIC_URL.',
      api_key: 'Its program needs a new key.',
      queue_starved: 'Open Administration, Jobs: it says what to do.',
    },
    runs_out: ({ what, name, days }) => {
      const when = days < 1 ? 'today' : `in ${days} ${days === 1 ? 'day' : 'days'}`;
      if (what === 'disk') return `${diskOf(name)} will be crowded ${when}`;
      const thing = what === 'certificate' ? `the certificate of ${name}` : `the API key '${name}'`;
      return days < 0 ? `${thing} has ended` : `${thing} ends ${when}`;
    },
    disk_full: (own) => `${diskOf(own.machine)} is ${own.percent} % full`,
    queue_starved: (own) =>
      `background work '${wordIn('en_US', jobClassWords[own.class])}' has stood still for ${own.minutes} min, waiting: ${own.waiting}`,
    unknown_unit: (own) =>
      `unknown units send: ${own.count}, the first one ${protocolNames[own.protocol]} ${own.name}`,
    upstream_late: ({ name }) => `records wait to be passed on: ${name}`,
    upstream_refuses: ({ name, code, number }) =>
      code === UNKNOWN_OBJECT
        ? `${name} refuses records: buses that it does not know: ${number}`
        : `${name} refuses records: ${egtsResultCodeText('en_US', code)}, ${number} in all`,
    odd_counter: ({ looks }) =>
      looks === 'cumulative'
        ? 'its counter seems to send a running total: check in the form of the unit how it counts'
        : 'its counter seems to send who passed since the last time: check in the form of the unit how it counts',
  },
};

/** Says what happened, in a language. */
export function saidOf(details: CauseDetails, language: Language): string {
  const say = words[language][details.kind] as (own: CauseDetails) => string;
  return say(details);
}

/** The next thing to do about a cause, in a language; undefined where its line says enough. */
function adviceOf(details: CauseDetails, language: Language): string | undefined {
  const { advice } = words[language];
  if (details.kind === 'runs_out') return advice[details.what];
  if (details.kind === 'disk_full') return advice.disk;
  return details.kind === 'queue_starved' ? advice.queue_starved : undefined;
}

/** A mail that says it is a test. */
export function testMailOf(language: Language, company: string): { subject: string; text: string } {
  const { test } = words[language];
  return { subject: `${company}: ${test}`, text: `${test}\n` };
}

/**
 * A mail about causes: a line each, with local times of the bus, and a line with the next thing to do where there is one.
 * @param causes at least one
 */
export function mailOf(
  causes: readonly Cause[],
  language: Language,
  company: string,
): { subject: string; text: string } {
  const text = words[language];
  const lines = causes.flatMap((cause) => {
    const { workplace, camera, since, details } = cause;
    const zone = workplace?.timezone ?? FALLBACK_ZONE;
    const time = `${formatMoment(Date.parse(since), zone, 'DD.MM.YYYY HH:mm')} (${offsetLabel(Date.parse(since), zone)})`;
    const route = workplace?.route;
    const name = [
      workplace && (route ? `${workplace.name} (${text.route(route)})` : workplace.name),
      camera?.name,
      saidOf(details, language),
    ];
    const line = `${name.filter((part) => part).join(' · ')}, ${text.since(time)}`;
    const advice = adviceOf(details, language);
    return advice === undefined ? [line] : [line, advice];
  });
  const [first] = causes;
  const only =
    causes.length === 1 && first !== undefined
      ? [first.workplace?.name, saidOf(first.details, language)].filter(Boolean).join(' ')
      : text.subject(causes.length);
  return { subject: `${company}: ${only}`, text: `${lines.join('\n')}\n` };
}
