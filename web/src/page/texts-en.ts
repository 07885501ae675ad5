import type { WaitingTexts } from './texts-ru.ts';

/** English texts of a page that is not loaded. */
export const en: WaitingTexts = {
  failedTitle: 'The day could not be loaded',
  serverFailed: 'The server has a fault. Try again a little later.',
  failedText: 'The server did not answer. Check the connection and try again.',
};
