import { offsetLabel } from '@ridewatch/contract/day';

const RUSSIAN_NAMES: Readonly<Record<string, string>> = {
  'Europe/Kaliningrad': 'Калининград',
  'Europe/Moscow': 'Москва',
  'Europe/Samara': 'Самара',
  'Asia/Yekaterinburg': 'Екатеринбург',
  'Asia/Omsk': 'Омск',
  'Asia/Novosibirsk': 'Новосибирск',
  'Asia/Krasnoyarsk': 'Красноярск',
  'Asia/Irkutsk': 'Иркутск',
  'Asia/Yakutsk': 'Якутск',
  'Asia/Vladivostok': 'Владивосток',
  'Asia/Magadan': 'Магадан',
  'Asia/Kamchatka': 'Камчатка',
};

/** The displayed name of a zone, with its offset at a moment: `Москва, UTC+3`. */
export function zoneName(zone: string, momentMs: number, locale: string): string {
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone;
  const name = locale.startsWith('ru') ? (RUSSIAN_NAMES[zone] ?? city) : city;
  return `${name}, ${offsetLabel(momentMs, zone)}`;
}
