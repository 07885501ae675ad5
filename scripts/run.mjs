// node scripts/run.mjs FILE …: runs a program of the product with the Node and the ffmpeg that set-up finds, so that
// every command works in a fresh clone. Set-up prints to standard error, because standard output belongs to the
// program.
import { spawn } from 'node:child_process';
import { root, setUp } from './setup.mjs';

const { node, env } = setUp({ aside: true });
const child = spawn(node, process.argv.slice(2), {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...env },
});
// The terminal sends Ctrl-C to the program, too; this process only has to outlive it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.once('exit', (code) => process.exit(code ?? 1));
