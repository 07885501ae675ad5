import type { Cause, CauseDetails } from '@ridewatch/contract/attention';
import { describe, expect, it } from 'vitest';
import { mailOf } from './words.ts';

const cause = (details: CauseDetails): Cause => ({
  ...{ id: 1, details, seen: false, workplace: null, camera: null },
  ...{ since: '2026-11-18T09:00:00Z', opened_at: '2026-11-18T09:00:00Z' },
});
const ends = (what: 'disk' | 'certificate' | 'api_key', days: number, name: string | null = null) =>
  ({ kind: 'runs_out', what, name, days }) as const;
const full: CauseDetails = { kind: 'disk_full', percent: 97, machine: null };
const starved = { kind: 'queue_starved', class: 'laps', minutes: 12, waiting: 40 } as const;

describe('a mail about the installation', () => {
  it.each([
    [ends('disk', 6), 'Сократите срок хранения или поставьте диск больше.'],
    [
      ends('certificate', 6, 'buses.example'),
      'Обновите сертификат прокси, который отвечает по PUBLIC_URL.',
    ],
    [ends('api_key', 6, 'Табло'), 'Его программе нужен новый.'],
    [full, 'Сократите срок хранения или поставьте диск больше.'],
    [starved, 'Откройте «Управление» → «Задания»: там сказано, что делать.'],
  ])('says in Russian what to do about %j', (details, advice) => {
    const { subject, text } = mailOf([cause(details)], 'ru_RU', 'Парк');
    expect(text.split('\n').slice(1)).toEqual([advice, '']);
    expect(subject).not.toContain(advice);
  });

  it.each([
    [ends('disk', 6), 'Shorten the retention or add a larger disk.'],
    [
      ends('certificate', 6, 'buses.example'),
      'Renew the certificate of the proxy that serves PUBLIC_URL.',
    ],
    [ends('api_key', 6, 'Board'), 'Its program needs a new key.'],
    [full, 'Shorten the retention or add a larger disk.'],
    [starved, 'Open Administration, Jobs: it says what to do.'],
  ])('says in English what to do about %j', (details, advice) => {
    expect(
      mailOf([cause(details)], 'en_US', 'Fleet')
        .text.split('\n')
        .slice(1),
    ).toEqual([...[advice, '']]);
  });

  it.each([
    [ends('disk', 0), 'ru_RU', 'место на диске сервера кончится сегодня'],
    [ends('disk', 1), 'en_US', "the server's disk will be crowded in 1 day"],
    [ends('disk', 0), 'en_US', "the server's disk will be crowded today"],
    [ends('disk', 6, 'video-2'), 'ru_RU', 'места на диске video-2 хватит на 6 дн.'],
    [ends('disk', 6, 'video-2'), 'en_US', 'the disk of video-2 will be crowded in 6 days'],
    [ends('api_key', 0, 'Табло'), 'ru_RU', 'ключ API «Табло» закончится сегодня'],
    [ends('api_key', 1, 'Board'), 'en_US', "the API key 'Board' ends in 1 day"],
    [ends('certificate', -1, 'a.example'), 'ru_RU', 'сертификат a.example закончился'],
  ] as const)('says of %j in %s when it ends: %s', (details, language, said) => {
    expect(mailOf([cause(details)], language, 'Fleet').subject).toBe(`Fleet: ${said}`);
  });

  it.each([
    ['egts', 'ru_RU', 'передают неизвестные приборы: 2, первый — EGTS 4021'],
    ['jt808', 'en_US', 'unknown units send: 2, the first one JT/T 808 4021'],
    ['osmand', 'ru_RU', 'передают неизвестные приборы: 2, первый — OsmAnd 4021'],
  ] as const)('names the protocol %s of an unknown unit in %s: %s', (protocol, language, said) => {
    const details = { kind: 'unknown_unit', protocol, name: '4021', count: 2 } as const;
    expect(mailOf([cause(details)], language, 'Fleet').subject).toBe(`Fleet: ${said}`);
  });

  it.each([
    [null, 'ru_RU', 'диск сервера заполнен на 97 %'],
    [null, 'en_US', "the server's disk is 97 % full"],
    ['video-2', 'ru_RU', 'диск video-2 заполнен на 97 %'],
    ['video-2', 'en_US', 'the disk of video-2 is 97 % full'],
  ] as const)('names the machine of a full disk (%s) in %s: %s', (machine, language, said) => {
    const { subject } = mailOf([cause({ ...full, machine })], language, 'Fleet');
    expect(subject).toBe(`Fleet: ${said}`);
  });

  it.each([
    ['ru_RU', 'past', 'круги прошлых дней'],
    ['en_US', 'past', 'laps of past days'],
    ['ru_RU', 'schedule', 'ночные работы'],
    ['en_US', 'schedule', 'nightly work'],
  ] as const)(
    'names in %s the work that stands still (%s) as the screen of jobs does: %s',
    (language, name, said) => {
      const { subject, text } = mailOf([cause({ ...starved, class: name })], language, 'Парк');
      const quoted = language === 'ru_RU' ? `«${said}»` : `'${said}'`;
      expect([subject, text].filter((part) => part.includes(quoted))).toHaveLength(2);
    },
  );

  it('has the advice of each cause below its line', () => {
    const silent = { kind: 'silent_bus', drove: true, place: null } as const;
    const { text } = mailOf([cause(ends('disk', 6)), cause(silent)], 'ru_RU', 'Парк');
    expect(text.split('\n').map((line) => line.slice(0, 12))).toEqual([
      ...['места на дис', 'Сократите ср', 'нет связи, с', ''],
    ]);
  });
});

describe('a mail about a counter', () => {
  it.each([
    ['cumulative', 'ru_RU', 'общий счёт, который только растёт'],
    ['delta', 'ru_RU', 'сколько прошло с прошлого раза'],
    ['cumulative', 'en_US', 'a running total'],
    ['delta', 'en_US', 'who passed since the last time'],
  ] as const)('that looks %s says so in %s', (looks, language, said) => {
    const details = { kind: 'odd_counter', unit_id: 7, looks } as const;
    expect(mailOf([cause(details)], language, 'Fleet').text).toContain(said);
  });
});

describe('a mail about an upstream that refuses records', () => {
  it.each([
    [153, 3, 'ru_RU', '«Регион» не принимает записи: там не заведены автобусы — 3'],
    [154, 58, 'ru_RU', '«Регион» не принимает записи: 154 · неверное время, всего 58'],
    [170, 58, 'ru_RU', '«Регион» не принимает записи: код 170, всего 58'],
    [153, 3, 'en_US', 'Регион refuses records: buses that it does not know: 3'],
    [154, 58, 'en_US', 'Регион refuses records: 154 · wrong time, 58 in all'],
    [170, 58, 'en_US', 'Регион refuses records: code 170, 58 in all'],
  ] as const)('says the reason %i as screens do: %i, %s', (code, number, language, said) => {
    const details = { kind: 'upstream_refuses', name: 'Регион', code, number } as const;
    expect(mailOf([cause(details)], language, 'Парк').text).toContain(said);
  });
});
