import * as auth from './auth.ts';
import * as buses from './buses.ts';
import * as fleet from './fleet.ts';
import * as groups from './groups.ts';
import * as news from './news.ts';
import * as segments from './segments.ts';
import * as unit from './unit.ts';

/** Every call of the product: what the API description is generated from and what the access test walks. */
export const endpoints = [
  auth.issueTokens,
  auth.me,
  auth.logout,
  auth.changePassword,
  auth.listSessions,
  auth.endSession,
  auth.endAllSessions,
  auth.publicSettings,
  buses.listBuses,
  buses.findBusInfo,
  groups.listClientGroups,
  groups.setGroup,
  segments.listDaySegments,
  segments.listPeriods,
  segments.fetchSegment,
  segments.playSegment,
  segments.downloadSegment,
  news.listActiveMessages,
  fleet.setUpFleet,
  unit.unitMe,
  unit.sendBatch,
  unit.pollCommands,
  unit.acknowledgeCommand,
] as const;
