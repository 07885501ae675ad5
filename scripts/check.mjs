import { runChecks } from './checks.mjs';
import { setUp } from './setup.mjs';

const { failed } = runChecks(setUp().node);
process.exit(failed === 0 ? 0 : 1);
