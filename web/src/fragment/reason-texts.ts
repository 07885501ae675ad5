import type { LiveFailReason } from '@ridewatch/contract/fail-reasons';
import type { Language } from '../i18n/language.ts';

const ru: Record<LiveFailReason, string> = {
  cancelled: 'Запрос отменён.',
  damaged: 'Файл повреждён по пути: контрольная сумма не совпала.',
  not_a_video: 'Регистратор прислал не видео или видео неизвестного формата.',
  not_playable: 'Видео не удалось подготовить к просмотру.',
  not_decodable: 'Кадры видео не читаются.',
  not_checked: 'Сервер не смог проверить файл.',
  shorter_than_stored: 'Регистратор прислал ещё меньше: осталось прежнее видео.',
  longer_than_asked:
    'Регистратор прислал больше, чем просили: неизвестно, что из этого снято в это время.',
  upload_stopped: 'Передача остановилась. Она продолжится сама или начнётся заново.',
  upload_abandoned: 'Регистратор прервал передачу.',
  upload_too_long: 'Регистратор прислал больше, чем объявил: лишнее не принято.',
  not_sent: 'Регистратор поставил видео в очередь, но за сутки не начал передачу.',
  nothing_sent: 'Регистратор сообщил, что всё передал, но видео не пришло.',
  unit_failed: 'Регистратор не смог выполнить запрос.',
  unit_gave_up: 'Регистратор не может передать это видео.',
  no_answer: 'Автобус не ответил.',
  no_channel: 'Неизвестно, какой это канал регистратора: в поле «Поток» камеры нет его номера.',
  no_recording: 'На регистраторе нет записи этого времени.',
  uploads_not_set_up:
    'Сервер не настроен на приём записей с такого регистратора. Обратитесь к администратору.',
  live_not_set_up: 'Сервер не настроен на эфир с такого регистратора. Обратитесь к администратору.',
  not_announced: 'Регистратор не сообщил, что стало с записью.',
  request_lost: 'Запрос видео потерялся.',
  not_counted: 'Фрагмент не удалось посчитать.',
  counting_stuck: 'Подсчёт не закончился вовремя.',
  merge_cancelled: 'Склейка отменена.',
  merge_failed: 'Склейка не удалась.',
  merge_stuck: 'Склейка не закончилась вовремя.',
};

const en: Record<LiveFailReason, string> = {
  cancelled: 'The request was cancelled.',
  damaged: 'The file was damaged on its way: its checksum is wrong.',
  not_a_video: 'The registrar sent no video, or one of a format that is not read.',
  not_playable: 'The video could not be made playable.',
  not_decodable: 'The frames of the video cannot be decoded.',
  not_checked: 'The server could not check the file.',
  shorter_than_stored: 'The registrar sent even less: the stored video stays.',
  longer_than_asked:
    'The registrar sent more than was asked for: it is unknown what of it was recorded then.',
  upload_stopped: 'The upload has stopped. It resumes by itself, or begins again.',
  upload_abandoned: 'The registrar ended the upload.',
  upload_too_long: 'The registrar sent more than it had announced: the surplus was refused.',
  not_sent: 'The registrar queued the video and did not begin to send it for a day.',
  nothing_sent: 'The registrar said that all is sent, but no video came.',
  unit_failed: 'The registrar could not carry out the request.',
  unit_gave_up: 'The registrar cannot send this video.',
  no_answer: 'The bus did not answer.',
  no_channel:
    "The field “Stream” of the camera does not say which of the registrar's channels it is.",
  no_recording: 'The registrar has no recording of this time.',
  uploads_not_set_up:
    'The server is not set up for recordings of such a registrar. Ask an administrator.',
  live_not_set_up:
    'The server is not set up for live video of such a registrar. Ask an administrator.',
  not_announced: 'The registrar did not say what became of the recording.',
  request_lost: 'The request for the video was lost.',
  not_counted: 'The fragment could not be counted.',
  counting_stuck: 'The counting did not end in time.',
  merge_cancelled: 'The merge was cancelled.',
  merge_failed: 'The merge failed.',
  merge_stuck: 'The merge did not end in time.',
};

const texts: Readonly<Record<Language, Readonly<Record<LiveFailReason, string>>>> = {
  ru_RU: ru,
  en_US: en,
};

/**
 * Says a reason in a language.
 * @param detail what the unit said about it; quoted as it is
 */
export function reasonText(
  reason: LiveFailReason,
  detail: string | null | undefined,
  language: Language,
): string {
  const said = texts[language][reason];
  if (!detail) return said;
  return `${said} ${language === 'ru_RU' ? `«${detail}»` : `“${detail}”`}`;
}
