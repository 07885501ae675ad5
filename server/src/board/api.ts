import { BOARD_KEPT_MS, listBoard } from '@ridewatch/contract/board';
import { BUSES_CHANNEL } from '../buses/announce.ts';
import { listen } from '../core/db/listen.ts';
import { serve } from '../core/http/http.ts';
import { sendCached } from '../core/http/send-cached.ts';
import { createSharedAnswers } from '../core/http/shared-answers.ts';
import type { Feature } from '../deps.ts';
import { buildBoard } from './board.ts';

/** The figures of the bus list. */
export const addBoard: Feature = async (app, deps, auth) => {
  const { database, clock } = deps;
  const answers = createSharedAnswers(clock, BOARD_KEPT_MS);
  // A bus that has left a customer leaves its cached board, too.
  app.addHook('onClose', await listen(deps, BUSES_CHANNEL, () => answers.forget()));

  serve(app, auth, listBoard, 'user', async ({ viewer, request, reply }) => {
    const build = async () => (await buildBoard(database.db, viewer, clock.nowMs())).board;
    return sendCached(request, reply, await answers.find(viewer, '', build));
  });
};
