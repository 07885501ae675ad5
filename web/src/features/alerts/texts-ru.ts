import type { AttentionKind } from '@ridewatch/contract/attention';

/** Why a message was not taken: what servers and connections say, by a part of it. */
const causes: readonly (readonly [RegExp, string])[] = [
  [/^the answer was (\d+)$/, 'сервер ответил $1'],
  [/^no answer within (\d+) s$/, 'за $1 с нет ответа'],
  [/longer than ([\d.]+) s/, 'почтовый сервер не ответил за $1 с'],
  [/private network/, 'это адрес внутренней сети'],
  [/SMTP_URL is not set/, 'почтовый сервер не настроен'],
  [/there is no mail address/, 'адрес почты не указан'],
  [/there is no webhook/, 'адрес не указан'],
  [/ENOTFOUND|EAI_AGAIN|getaddrinfo/, 'такого адреса нет'],
  [/ECONNREFUSED/, 'сервер не принимает соединений'],
  [/ECONNRESET|socket hang up|EPIPE/, 'соединение оборвалось'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, 'до сервера не достучаться'],
  [/certificate|self.signed|SSL|TLS|altname/i, 'сертификат сервера не подходит'],
];
function causeOf(error: string): string {
  const [pattern, said] = causes.find(([one]) => one.test(error)) ?? [];
  const found = pattern?.exec(error);
  return found && said !== undefined ? said.replace('$1', found[1] ?? '') : error;
}

/** Russian texts of the settings of alerts, and the type of the other languages. */
export const ru = {
  title: 'Оповещения',
  intro: 'Когда автобус или камера требует внимания, и кому об этом сообщить.',
  whose: 'Чьи настройки',
  installation: 'Сервер и автобусы без клиента',
  failedTitle: 'Не удалось загрузить настройки оповещений',
  limits: 'Пороги',
  silentMinutes: 'Автобус молчит, минут',
  cameraMinutes: 'Камера не в сети, минут',
  imbalancePercent: 'Вход и выход расходятся, %',
  sent: 'О чём сообщать',
  sentHint: 'На экране видно всё; здесь — о чём приходят сообщения.',
  kinds: {
    silent_bus: 'Автобус молчит',
    camera_offline: 'Камера не в сети',
    imbalance: 'Вход и выход расходятся',
    merge_failed: 'Видео не склеилось',
    runs_out: 'Что-то скоро закончится',
    disk_full: 'Диск сервера полон',
    queue_starved: 'Фоновая работа остановилась',
    unknown_unit: 'Передают неизвестные приборы',
    upstream_late: 'Записи ждут передачи дальше',
    upstream_refuses: 'Другая система не принимает записи',
    odd_counter: 'Счётчик считает не так, как настроен прибор',
  } as Record<AttentionKind, string>,
  quiet: 'Тихие часы',
  hasQuiet: 'Не сообщать ночью',
  quietFrom: 'С',
  quietTo: 'До',
  quietHint: 'Что прошло за тихие часы, не придёт; остальное придёт, когда они кончатся.',
  quietProblem: 'Введите часы и минуты: 22:00',
  timezone: 'Часовой пояс тихих часов',
  timezoneProblem: 'Такого пояса нет: например, Europe/Moscow',
  webhook: 'Веб-хук',
  webhookUrl: 'Адрес',
  webhookHidden: 'Адрес задан. Его видят те, кто может менять настройки.',
  webhookHint: 'Туда придёт подписанный POST. Пусто — не сообщать.',
  webhookProblem: 'Адрес начинается с https:// или http://',
  newSecret: 'Сменить ключ подписи',
  newSecretHint: 'Старый ключ перестанет подходить сразу после сохранения.',
  secretTitle: 'Ключ подписи',
  secretText: 'Он показан один раз: сохраните его у получателя.',
  mail: 'Почта',
  mailTo: 'Адреса, по одному в строке',
  mailProblem: (most: number) => `Здесь должны быть адреса почты, не больше ${most}`,
  noMail: 'Сервер не умеет отправлять почту: его администратор не задал почтовый сервер.',
  language: 'Язык писем',
  state: (sent: number, waiting: number, failed: number) =>
    `За 7 дней отправлено ${sent}, не дошло ${failed}, ждут отправки ${waiting}.`,
  lastError: (error: string) => `Последняя ошибка: ${causeOf(error)}`,
  test: 'Отправить пробное сообщение',
  testHint: 'По сохранённому адресу.',
  testSent: 'Пробное сообщение отправлено, получатель его принял.',
  testTooSoon: (seconds: number) =>
    `Пробное сообщение можно отправлять раз в ${seconds} с. Попробуйте чуть позже.`,
  conflict:
    'Настройки тем временем изменил кто-то ещё. Его значения подставлены, ваши правки остались: проверьте и сохраните ещё раз.',
  testFailed: (error: string) => `Пробное сообщение не дошло: ${causeOf(error)}`,
  save: 'Сохранить',
  saved: 'Настройки оповещений сохранены',
  readOnly: 'Менять настройки могут пользователи с правом правки.',
};
export type AlertsTexts = typeof ru;
