// node scripts/run.mjs FILE …: runs one program of the product with the Node and the ffmpeg that set-up finds, so that
// every command works on a fresh copy too. Set-up speaks on standard error: standard output is the program's alone.
import { spawn } from 'node:child_process';
import { root, setUp } from './setup.mjs';

const { node, env } = setUp({ aside: true });
const child = spawn(node, process.argv.slice(2), {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...env },
});
// A terminal's Ctrl-C reaches the program by itself; this process only has to outlive it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.once('exit', (code) => process.exit(code ?? 1));
