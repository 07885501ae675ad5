import { createServer } from 'node:net';

/** A free port of this machine. Another process may take it first. */
export async function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === 'string')
          reject(new Error('There is no free port.'));
        else resolve(address.port);
      });
    });
  });
}
