import { enForm } from '../../i18n/plural.ts';
import type { HelpTexts } from './texts-ru.ts';

/** English texts of the help. */
export const en: HelpTexts = {
  title: 'Help',
  search: 'Search the help',
  screens: 'Pages',
  programs: 'For programs',
  api: 'API calls',
  apiFailed: 'The API calls could not be loaded',
  units: 'Unit interface',
  unitsNote: '',
  none: 'Nothing found',
  noneText: 'Try another word: the pages call things as the screens do.',
  foundInOther: 'Found in the Russian guide',
  foundForUnits: 'Found in the unit interface',
  searchCalls: (query) => `Search “${query}” in the API calls`,
  unknown: 'There is no such page',
  unknownText: 'Choose a page of the list.',
  toAll: 'All help',
  apiText:
    'The description is made from the contract that checks every call. A call carries Authorization: Bearer …, the token of /oauth/token, an API key for calls of its scopes, or the credential of a unit. Moments are ISO 8601 in UTC, days YYYY-MM-DD, repeated keys are lists.',
  anyAnswers: (answers) => `Any call may answer ${answers}.`,
  scope: 'Scope of API keys',
  apiFile: 'openapi.json for programs',
  searchApi: 'Path, method or a word of the description',
  calls: (count) => `${count} ${enForm(count, 'call', 'calls')}`,
  ofUsers: 'Signed-in users',
  ofAdmins: 'Administrators',
  ofUnits: 'On-board units',
  ofAll: 'Without a token',
  parameters: 'Parameters',
  body: 'Body',
  answer: 'Answer',
  refusals: 'Other answers',
  shapes: 'Shared shapes',
  optional: 'optional',
};
