// node scripts/run.mjs FILE …: runs a program of the product with the Node and the ffmpeg that set-up finds, so that
// every command works in a fresh clone. Set-up prints to standard error, because standard output belongs to the
// program.
import { spawn } from 'node:child_process';
import { root, setUp } from './setup.mjs';

const NOTICE_MS = 500;

const starter = process.ppid;
const { node, env } = prepare();
const child = spawn(node, process.argv.slice(2), {
  cwd: root,
  // By the channel a program that runs others notices when this process has died.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...process.env, ...env },
});
// The terminal sends Ctrl-C to the program, too; this process only has to outlive it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.once('exit', (code) => process.exit(code ?? 1));
// npm sends SIGTERM to its shell, which dies and does not pass it on. Where npm is not between, as after nohup, the
// program may outlive its starter.
if (process.env.npm_lifecycle_event !== undefined) endWithStarter();

function endWithStarter() {
  const noticing = setInterval(() => {
    if (process.ppid === starter) return;
    clearInterval(noticing);
    child.kill('SIGTERM');
  }, NOTICE_MS);
}

function prepare() {
  try {
    return setUp({ aside: true });
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    // A run of tests ends with its counts, also when it did not come to tests.
    if (/^scripts[\\/]test/.test(process.argv[2] ?? '')) {
      process.stdout.write('0 passed, 1 failed\n');
    }
    return process.exit(1);
  }
}
