import type { ListTexts } from './texts-ru.ts';

/** English texts of the bus list. */
export const en: ListTexts = {
  searchPlaceholder: 'Bus number or camera name',
  clearSearch: 'Clear search',
  noMatchTitle: 'Nothing found',
  noMatchText: (query) => `No bus or camera is named “${query}”.`,
  emptyTitle: 'No buses yet',
  emptyText: 'They will appear here once an administrator sets them up.',
  failedText: 'The list of buses did not load. Check the connection and try again.',
  never: 'never connected',
  closeBanner: (title) => `Close the notice “${title}”`,
  move: (bus) => `Move ${bus}`,
  moveTo: (route) => `To group ${route}`,
  removeFromRoute: 'Remove from group',
};
