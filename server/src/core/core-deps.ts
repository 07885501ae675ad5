import type { BacklogWork } from './backlog-work.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './db/db.ts';
import type { Disk } from './disk.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { VideoOff } from './video-off.ts';

/** The dependencies of the core. `Deps` in server/src/deps.ts adds the media store. */
export interface CoreDeps {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly backlogWork: BacklogWork;
  /** Why the process works without video; undefined: it works with it. */
  readonly videoOff: VideoOff | undefined;
}
