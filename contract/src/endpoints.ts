import * as account from './account.ts';
import * as adminAside from './admin-aside.ts';
import * as adminAudit from './admin-audit.ts';
import * as adminBuses from './admin-buses.ts';
import * as adminCameras from './admin-cameras.ts';
import * as adminCustomers from './admin-customers.ts';
import * as adminFeed from './admin-feed.ts';
import * as adminGroups from './admin-groups.ts';
import * as adminHappenings from './admin-happenings.ts';
import * as adminImport from './admin-import.ts';
import * as adminImportUndo from './admin-import-undo.ts';
import * as adminNews from './admin-news.ts';
import * as adminSections from './admin-sections.ts';
import * as adminSeveral from './admin-several.ts';
import * as adminUnitPorts from './admin-unit-ports.ts';
import * as adminUnits from './admin-units.ts';
import * as adminUnknownUnits from './admin-unknown-units.ts';
import * as adminUpstreams from './admin-upstreams.ts';
import * as adminUsers from './admin-users.ts';
import * as adminWork from './admin-work.ts';
import * as apiDescription from './api-description.ts';
import * as apiKeys from './api-keys.ts';
import * as attention from './attention.ts';
import * as auth from './auth.ts';
import * as board from './board.ts';
import * as busRoutes from './bus-routes.ts';
import * as buses from './buses.ts';
import * as calculation from './calculation.ts';
import * as calculationHistory from './calculation-history.ts';
import * as costs from './costs.ts';
import * as firstSteps from './first-steps.ts';
import * as fleet from './fleet.ts';
import * as fragments from './fragments.ts';
import * as home from './home.ts';
import * as lapRecalculation from './lap-recalculation.ts';
import * as laps from './laps.ts';
import * as live from './live.ts';
import * as mapFile from './map-file.ts';
import * as merges from './merges.ts';
import * as news from './news.ts';
import * as notifications from './notifications.ts';
import * as openid from './openid.ts';
import * as passwordLinks from './password-links.ts';
import * as preload from './preload.ts';
import * as recalculation from './recalculation.ts';
import * as reportExports from './report-exports.ts';
import * as reports from './reports.ts';
import * as retention from './retention.ts';
import * as review from './review.ts';
import * as routePatterns from './route-patterns.ts';
import * as routes from './routes.ts';
import * as secondFactor from './second-factor.ts';
import * as setupLinks from './setup-links.ts';
import * as stats from './stats.ts';
import * as unit from './unit.ts';
import * as unitCommands from './unit-commands.ts';

/** Every call of the product, for the API description and the access test. */
export const endpoints = [
  auth.issueTokens,
  auth.me,
  auth.checkSession,
  auth.logout,
  account.changePassword,
  account.listSessions,
  account.endSession,
  account.endAllSessions,
  passwordLinks.makePasswordLink,
  passwordLinks.findPasswordLink,
  passwordLinks.setPasswordByLink,
  openid.beginOpenid,
  openid.finishOpenid,
  openid.unlinkOpenid,
  setupLinks.findSetupLink,
  setupLinks.makeFirstAdministrator,
  secondFactor.findSecondFactor,
  secondFactor.beginSecondFactor,
  secondFactor.confirmSecondFactor,
  secondFactor.renewRecoveryCodes,
  secondFactor.removeSecondFactor,
  secondFactor.removeSecondFactorOfUser,
  auth.publicSettings,
  mapFile.readMapFile,
  apiDescription.describeApi,
  buses.listBuses,
  board.listBoard,
  home.findHome,
  home.listPlaces,
  home.listMapRoutes,
  buses.findBusInfo,
  buses.findBusStatus,
  buses.updateBusStatus,
  busRoutes.listClientRoutes,
  busRoutes.searchRoutes,
  busRoutes.setRoute,
  routes.findRoute,
  routes.listRouteStops,
  routes.updateRoute,
  routes.insertRouteStop,
  routes.updateRouteStop,
  routes.deleteRouteStop,
  routes.setTerminalStops,
  routePatterns.listRoutePatterns,
  routePatterns.insertRoutePattern,
  routePatterns.updateRoutePattern,
  routePatterns.deleteRoutePattern,
  routes.makeTrackFromLap,
  routes.proposeStopsFromLap,
  routes.makeStopsFromLap,
  routes.generateStops,
  routes.createRouteFromFile,
  routes.updateRouteFromFile,
  routes.addBusToRoute,
  routes.removeBusFromRoute,
  costs.listRouteCosts,
  costs.setRouteCosts,
  costs.insertRouteCost,
  costs.updateRouteCost,
  laps.listDayLaps,
  laps.listLaps,
  laps.searchStops,
  laps.findPosition,
  laps.findDayTrack,
  laps.findStopStat,
  laps.setTerminalStop,
  calculation.findCalculation,
  calculation.saveCalculation,
  calculation.saveShift,
  calculation.recalculateCalculation,
  calculationHistory.listCalculationChanges,
  calculation.findCalculationParts,
  calculation.setGroupCalculation,
  lapRecalculation.recalculateLaps,
  lapRecalculation.findLapRecalculation,
  lapRecalculation.cancelLapRecalculation,
  stats.findPassengerTraffic,
  stats.findDayTraffic,
  stats.findDayResults,
  stats.recalculateBus,
  stats.findBusRecalculation,
  stats.cancelBusRecalculation,
  fragments.listDayFragments,
  fragments.listPeriods,
  fragments.findFragment,
  fragments.fetchFragment,
  preload.preloadRange,
  preload.cancelPreload,
  recalculation.recalculateFragments,
  recalculation.findRecalculation,
  review.setManualCounts,
  review.markReviewed,
  review.listReviewQueue,
  fragments.playFragment,
  fragments.streamFragment,
  fragments.streamFragmentSegment,
  fragments.downloadFragment,
  fragments.showThumbnails,
  retention.keepFragment,
  retention.findRetention,
  retention.setRetention,
  merges.requestMerge,
  merges.listMergeRequests,
  merges.cancelMerge,
  merges.downloadMerge,
  reportExports.exportPassengerTraffic,
  reportExports.exportTariffCalc,
  reportExports.exportWorkplacesReport,
  reportExports.exportBusLoad,
  reportExports.exportAdvancedReport,
  reportExports.exportTest,
  reports.requestReport,
  reports.estimateReport,
  reports.listReports,
  reports.findReport,
  reports.cancelReport,
  reports.downloadReport,
  live.startLive,
  live.findLive,
  live.streamLive,
  live.streamLiveSegment,
  news.listActiveMessages,
  news.closeMessage,
  news.listMessages,
  news.searchNews,
  news.readNews,
  news.findMedia,
  notifications.findNotifications,
  notifications.readNotifications,
  attention.listCauses,
  attention.findAttentionSettings,
  attention.setAttentionSettings,
  attention.testAttentionChannel,
  firstSteps.findFirstSteps,
  firstSteps.findArrivals,
  adminUnitPorts.findUnitPorts,
  fleet.setUpFleet,
  adminSections.findAdminOverview,
  adminCustomers.listCustomers,
  adminCustomers.findCustomer,
  adminCustomers.createCustomer,
  adminCustomers.updateCustomer,
  adminUsers.listUsers,
  adminUsers.findUser,
  adminUsers.createUser,
  adminUsers.updateUser,
  adminUsers.viewAsUser,
  apiKeys.listApiKeys,
  apiKeys.findApiKey,
  apiKeys.createApiKey,
  apiKeys.revokeApiKey,
  adminBuses.listAdminBuses,
  adminBuses.findAdminBus,
  adminHappenings.listHappenings,
  ...[adminSeveral.changeBuses, adminSeveral.changeUsers, adminSeveral.changeCameras],
  ...[adminSeveral.changeUnits, adminSeveral.changeCustomers, adminSeveral.changeRetentions],
  adminSeveral.changeUnknownUnits,
  adminBuses.createBus,
  adminBuses.updateBus,
  adminBuses.setBusSettings,
  adminUnknownUnits.listUnknownUnits,
  adminUnknownUnits.findUnknownUnit,
  adminUnknownUnits.adoptUnknownUnit,
  adminUnknownUnits.ignoreUnknownUnit,
  adminUpstreams.listUpstreams,
  adminUpstreams.findUpstream,
  adminUpstreams.createUpstream,
  adminUpstreams.changeUpstream,
  adminUpstreams.tryUpstream,
  adminUpstreams.deleteUpstream,
  adminUpstreams.listUpstreamBuses,
  adminUpstreams.numberUpstreamBuses,
  adminUnits.listUnits,
  adminUnits.findUnit,
  adminUnits.createUnit,
  adminUnits.updateUnit,
  adminUnits.rotateCredential,
  adminUnits.revokeCredentials,
  adminFeed.findUnitFeed,
  adminFeed.listenToUnit,
  adminFeed.setTestMode,
  adminAside.findUnitAside,
  adminAside.placeUnitAside,
  adminAside.discardUnitAside,
  adminCameras.listCameras,
  adminCameras.findCamera,
  adminCameras.createCamera,
  adminCameras.updateCamera,
  adminNews.listAdminNews,
  adminNews.findAdminNews,
  adminNews.listNewsReaders,
  adminNews.createNews,
  adminNews.updateNews,
  adminNews.deleteNews,
  adminNews.setNewsMedia,
  adminNews.deleteNewsMedia,
  adminNews.listAdminMessages,
  adminNews.findAdminMessage,
  adminNews.createMessage,
  adminNews.updateMessage,
  adminNews.deleteMessage,
  adminNews.setMessageMedia,
  adminNews.deleteMessageMedia,
  ...[adminImport.checkImport, adminImport.runImport, adminImport.exportTable],
  ...[adminImportUndo.listImports, adminImportUndo.undoImport],
  adminGroups.listGroups,
  adminGroups.findGroup,
  adminGroups.createGroup,
  adminGroups.deleteGroup,
  adminGroups.listClassifiers,
  adminGroups.findClassifier,
  adminGroups.updateClassifier,
  adminGroups.mergeClassifiers,
  adminAudit.listAudit,
  adminAudit.findAuditRow,
  adminAudit.exportAudit,
  adminWork.listJobs,
  adminWork.findJob,
  adminWork.retryJob,
  adminWork.listFailedDays,
  adminWork.retryFailedDay,
  adminWork.findStorage,
  unit.unitMe,
  unit.sendBatch,
  unitCommands.pollCommands,
  unitCommands.acknowledgeCommand,
] as const;

/** The files of the calls; the names of their constants are those of the calls. */
export const files: readonly object[] = [
  ...[account, adminAside, adminAudit, adminBuses, adminCameras, adminCustomers, adminFeed],
  ...[adminGroups, adminHappenings, adminImport, adminImportUndo, adminNews, adminSections],
  ...[adminSeveral, adminUnitPorts, adminUnits, adminUnknownUnits, adminUpstreams],
  ...[adminUsers, adminWork, apiDescription, apiKeys, attention, auth, board, busRoutes, buses],
  ...[calculation, calculationHistory, costs, firstSteps, fleet, fragments, home],
  ...[lapRecalculation, laps, live, mapFile, merges, news, notifications, openid],
  ...[passwordLinks, setupLinks],
  ...[preload, recalculation, reportExports, reports, retention, review],
  ...[routePatterns, routes, secondFactor],
  ...[stats, unit, unitCommands],
];
