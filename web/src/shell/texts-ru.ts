/** Russian texts of a user's account, and the type of the other languages. */
export const ru = {
  changePassword: 'Сменить пароль',
  oldPassword: 'Текущий пароль',
  wrongPassword: 'Текущий пароль не подходит',
  newPassword: 'Новый пароль',
  newPasswordHint: 'Не меньше 10 символов',
  passwordChanged: 'Пароль сменён, другие сеансы завершены',
  sessions: 'Мои сеансы',
  thisSession: 'этот сеанс',
  endSession: 'Завершить сеанс',
  endAllSessions: 'Выйти на всех устройствах',
  lastUsed: 'активность',
  moscowTime: 'МСК',
};
export type AccountTexts = typeof ru;
