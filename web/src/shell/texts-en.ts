import type { AccountTexts } from './texts-ru.ts';

/** English texts of the surroundings of signed-in screens. */
export const en: AccountTexts = {
  home: 'To the home page',
  skip: 'Skip to the content',
  unread: 'unread items',
  menu: 'Main menu',
  more: 'More',
  back: 'Back',
  logout: 'Sign out',
  userMenu: 'User menu',
  viewLabel: 'View as another user',
  viewAs: (login) => `You see what ${login} sees.`,
  viewNote: 'Nothing can be changed.',
  viewEnds: (time, login) => `At ${time} MSK you are ${login} again.`,
  endView: 'Stop viewing',
  viewEnded: 'The view has ended: you are yourself again',
  newVersion: 'There is a new version.',
  loadNew: 'Load it',
  stale: (status) => `Not refreshed: error ${status}. The last data are shown.`,
};
