/** Russian texts of the surroundings of signed-in screens, and the type of the other languages. */
export const ru = {
  home: 'На главную',
  skip: 'К содержанию страницы',
  unread: 'есть непрочитанные',
  menu: 'Главное меню',
  more: 'Ещё',
  back: 'Назад',
  logout: 'Выйти',
  userMenu: 'Меню пользователя',
  viewLabel: 'Просмотр от имени пользователя',
  viewAs: (login: string) => `Просмотр как ${login}.`,
  viewNote: 'Менять ничего нельзя.',
  viewEnds: (time: string, login: string) => `В ${time} МСК вы снова ${login}.`,
  endView: 'Закончить',
  viewEnded: 'Просмотр закончен, вы снова под своим именем',
  newVersion: 'Вышла новая версия.',
  loadNew: 'Загрузить',
  stale: (status: number) => `Данные не обновляются: ошибка ${status}. Показаны последние.`,
};
export type AccountTexts = typeof ru;
