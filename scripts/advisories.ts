// npm run advisories: known faults of the packages that are shipped, as far as the registry tells. It ends with 1 when
// there are high or critical ones, and with 2 when the registry does not answer.
import { spawnSync } from 'node:child_process';
import { root, say } from './setup.mjs';

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const LIMIT_MS = 120_000;
const done = spawnSync(npm, ['audit', '--omit=dev', '--json', '--audit-level=none'], {
  cwd: root,
  encoding: 'utf8',
  timeout: LIMIT_MS,
});
/** The output of `npm audit --json`. */
interface Answer {
  readonly message?: string;
  readonly vulnerabilities?: Readonly<
    Record<string, { name: string; severity: string; range: string; fixAvailable: unknown }>
  >;
}

const answer = readAnswer(done.stdout);
if (answer?.vulnerabilities === undefined) {
  say(
    `The registry does not tell of advisories: ${answer?.message ?? done.stderr ?? ''}`.trimEnd(),
  );
  process.exit(2);
}
const found = Object.values(answer.vulnerabilities);
for (const { name, severity, range, fixAvailable } of found) {
  say(`${severity.padEnd(8)} ${name} ${range}${fixAvailable ? ', fixed in a later version' : ''}`);
}
say(`${found.length} packages with known faults.`);
process.exit(found.some(({ severity }) => /high|critical/.test(severity)) ? 1 : 0);

function readAnswer(text: string): Answer | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
