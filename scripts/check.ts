import { runChecks } from './checks.ts';

const { failures } = runChecks(process.execPath);
process.exit(failures.length === 0 ? 0 : 1);
