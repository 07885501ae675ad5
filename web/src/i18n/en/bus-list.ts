import type { Texts } from '../ru/catalogue.ts';

export const busList: Texts['busList'] = {
  title: 'Buses',
  searchPlaceholder: 'Bus number or camera name',
  clearSearch: 'Clear search',
  ungrouped: 'Buses',
  noMatchTitle: 'Nothing found',
  noMatchText: (query) => `No bus or camera is named “${query}”.`,
  emptyTitle: 'No buses yet',
  emptyText: 'They will appear here once an administrator sets them up.',
  failedText: 'The list of buses did not load. Check the connection and try again.',
  never: 'never connected',
  closeBanner: (title) => `Close the notice “${title}”`,
  move: (bus) => `Move ${bus}`,
  moveTo: (group) => `To group ${group}`,
  removeFromGroup: 'Remove from group',
};
