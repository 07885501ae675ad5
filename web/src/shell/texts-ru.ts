/** Russian texts of the surroundings of signed-in screens, and the type of the other languages. */
export const ru = {
  home: 'На главную',
  menu: 'Главное меню',
  back: 'Назад',
  logout: 'Выйти',
  userMenu: 'Меню пользователя',
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
  stale: (status: number) => `Данные не обновляются: ошибка ${status}. Показаны последние.`,
};
export type AccountTexts = typeof ru;
