import { addAdministration } from './administration/api.ts';
import { addFleet } from './administration/set-up-api.ts';
import { addAttention } from './attention/api.ts';
import { addAudit } from './audit/api.ts';
import { addAuth } from './auth/api.ts';
import { addBoard } from './board/api.ts';
import { addBusDay } from './bus-day/api.ts';
import { addBusRoutes } from './bus-routes/api.ts';
import { addBuses } from './buses/api.ts';
import { addBusStatus } from './buses/status-api.ts';
import type { Feature, MakeListener } from './deps.ts';
import { makeFtpListener } from './ftp/listener.ts';
import { addHome } from './home/api.ts';
import { makeEgtsListener } from './ingest/egts/listener.ts';
import { addIngest } from './ingest/http/api.ts';
import { addAside } from './ingest/http/aside-api.ts';
import { makeJt808Listener } from './ingest/jt808/listener.ts';
import { makeJt1078Listener } from './ingest/jt1078/listener.ts';
import { addOsmand } from './ingest/osmand/api.ts';
import { makeOsmandListener } from './ingest/osmand/listener.ts';
import { addLaps } from './laps/api.ts';
import { addLive } from './live/api.ts';
import { addLivePush } from './live/push-api.ts';
import { addReview } from './manual-counts/api.ts';
import { addMerges } from './merges/api.ts';
import { addMoney } from './money/api.ts';
import { addNews } from './news/api.ts';
import { addNotifications } from './notifications/api.ts';
import { addOpenApi } from './openapi/openapi.ts';
import { addRecalculation } from './recalculation/api.ts';
import { addReports } from './reports/api.ts';
import { addRetention } from './retention/api.ts';
import { addRoutes } from './routes/api.ts';
import { addRouteCosts } from './routes/costs-api.ts';
import { addRouteFiles } from './routes/files/api.ts';
import { addRoutesFromLaps } from './routes/from-laps/from-laps-api.ts';
import { addRoutePatterns } from './routes/patterns-api.ts';
import { addRouteStops } from './routes/stops-api.ts';
import { addWebFiles } from './screens/web-files.ts';
import { addSettings } from './settings/api.ts';
import { addStats } from './stats/api.ts';
import { addVideo } from './video/api.ts';
import { addPreload } from './video/preload-api.ts';
import { addUploads } from './video/uploads/uploads.ts';

/** The features of the role `api`: screens and their calls. A new feature is added here, nothing is found by itself. */
export const apiFeatures: readonly Feature[] = [
  addAuth,
  addSettings,
  addBuses,
  addBusStatus,
  addBusRoutes,
  addRoutes,
  addRouteStops,
  addRoutePatterns,
  addRouteCosts,
  addRoutesFromLaps,
  addRouteFiles,
  addBusDay,
  addMoney,
  addReview,
  addBoard,
  addHome,
  addLaps,
  addStats,
  addVideo,
  addMerges,
  addReports,
  addRetention,
  addPreload,
  addRecalculation,
  addLive,
  addFleet,
  addAdministration,
  addAside,
  addAudit,
  addAttention,
  addNews,
  addNotifications,
  addOpenApi,
  addWebFiles,
];

/** The features of the role `ingest`: the unit interface. */
export const ingestFeatures: readonly Feature[] = [addIngest, addOsmand, addUploads, addLivePush];

/** The listeners of the role `ingest` beside HTTP: unit protocols with ports of their own. */
export const ingestListeners: readonly MakeListener[] = [
  makeEgtsListener,
  makeJt808Listener,
  makeJt1078Listener,
  makeOsmandListener,
  makeFtpListener,
];
