import { runChecks } from './checks.mjs';
import { setUp } from './setup.mjs';

const { failures } = runChecks(setUp().node);
process.exit(failures.length === 0 ? 0 : 1);
