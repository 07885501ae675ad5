import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread below that of the thread that serves requests. Only on Linux: elsewhere it
 * would be the whole process's.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // A server that was started at a still lower priority keeps it: only a privileged process may raise one.
    const wanted = constants.priority.PRIORITY_BELOW_NORMAL;
    if (getPriority() < wanted) setPriority(wanted);
  } catch {
    // If the system refuses it, the thread works at the priority of the process.
  }
}
