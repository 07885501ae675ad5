import type { ErrorCode } from '@ridewatch/contract/errors';
import { currentLanguage, type Language } from './language.ts';

type Texts = Readonly<Record<ErrorCode, string>>;

const ru: Texts = {
  invalid_request: 'Запрос заполнен неверно',
  invalid_grant: 'Неверный логин или пароль',
  session_ended: 'Сеанс завершён',
  mfa_required: 'Нужен код из приложения',
  unsupported_grant_type: 'Такой способ входа не поддерживается',
  wrong_password: 'Пароль не подходит',
  weak_password: 'Пароль слишком короткий',
  wrong_code: 'Код не подходит',
  invalid_link: 'Ссылка больше не действует',
  openid_failed: 'Сервис входа не подтвердил вход',
  openid_unknown_user: 'Такого пользователя здесь нет',
  unauthorized: 'Нужно войти',
  invalid_client: 'Приложение не опознано',
  user_inactive: 'Учётная запись неактивна',
  user_blocked: 'Учётная запись заблокирована',
  no_right: 'На это нет прав',
  second_factor_required: 'Вашей роли нужен вход с кодом',
  read_only_view: 'Это просмотр от чужого имени: менять ничего нельзя',
  bad_signature: 'Ссылка на видео больше не действует',
  not_found: 'Не найдено',
  request_timeout: 'Запрос шёл слишком долго',
  conflict: 'Данные уже изменились, обновите страницу',
  offset_mismatch: 'Передача продолжается не с того места, где прервалась',
  too_large: 'Слишком много данных',
  too_many_days: 'Слишком много дней за один раз',
  too_many_buses: 'Слишком много автобусов',
  time_ahead: 'Это время ещё не наступило',
  not_a_video: 'Это не видео',
  unsupported_version: 'Такая версия протокола не подходит',
  precondition_failed: 'Файл уже другой',
  unsupported_media_type: 'Такой формат не подходит',
  range_not_satisfiable: 'В файле нет такой части',
  expectation_failed: 'Сервер не может сделать то, чего ждёт программа',
  too_many_attempts: 'Слишком много попыток, попробуйте позже',
  headers_too_large: 'Адрес запроса слишком длинный',
  internal: 'Ошибка на сервере',
  unavailable: 'Сервер временно недоступен',
  insufficient_storage: 'На сервере кончилось место',
  video_off: 'Сервер пока не принимает видео: администратор видит, что сделать',
};

const en: Texts = {
  invalid_request: 'The request is not valid',
  invalid_grant: 'Wrong login or password',
  session_ended: 'The session was ended',
  mfa_required: 'A code from the app is needed',
  unsupported_grant_type: 'This way to sign in is not supported',
  wrong_password: 'The password is wrong',
  weak_password: 'The password is too short',
  wrong_code: 'The code is wrong',
  invalid_link: 'The link no longer works',
  openid_failed: 'The sign-in provider did not confirm who you are',
  openid_unknown_user: 'There is no such user here',
  unauthorized: 'Please sign in',
  invalid_client: 'The application is not known',
  user_inactive: 'The account is inactive',
  user_blocked: 'The account is blocked',
  no_right: 'You have no right to do this',
  second_factor_required: 'Your role needs two-factor sign-in',
  read_only_view: 'You view as another user: nothing can be changed',
  bad_signature: 'The link to the video is no longer valid',
  not_found: 'Not found',
  request_timeout: 'The request took too long to arrive',
  conflict: 'The data have changed meanwhile: reload the page',
  offset_mismatch: 'The upload goes on from another place than where it stopped',
  too_large: 'Too much data',
  too_many_days: 'Too many days at once',
  too_many_buses: 'Too many buses',
  time_ahead: 'This time is still to come',
  not_a_video: 'This is not a video',
  unsupported_version: 'This version of the protocol is not supported',
  precondition_failed: 'The file has changed since',
  unsupported_media_type: 'This format is not supported',
  range_not_satisfiable: 'The file has no such part',
  expectation_failed: 'The server cannot do what the program expects',
  too_many_attempts: 'Too many attempts, try again later',
  headers_too_large: 'The address of the request is too long',
  internal: 'The server failed',
  unavailable: 'The server is not available at the moment',
  insufficient_storage: 'The server is out of disk space',
  video_off: 'The server does not accept video yet: its administrator sees what to do',
};

const texts: Readonly<Record<Language, Texts>> = { ru_RU: ru, en_US: en };

/**
 * Explains a failed call in the user's language.
 * @param said the server's message, for codes without a text of ours
 * @param field the invalid part of the request
 */
export function errorText(
  { error, message: said, field }: { error: string; message: string; field?: string | undefined },
  language: Language = currentLanguage(),
): string {
  const known: Readonly<Record<string, string>> = texts[language];
  const text = known[error] ?? said;
  return field === undefined ? text : `${text} (${field})`;
}
