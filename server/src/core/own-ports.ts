// The ports that the configuration gives to one process.
import type { Config } from './config.ts';
import { StartError } from './errors.ts';

/** A variable and its port. */
type NamedPort = readonly [variable: string, port: number];

/**
 * Checks that each setting of the process has a port of its own: a second one of the same port would fail at each try,
 * as if another program had it.
 * @throws StartError that names the variables
 */
export function expectOwnPorts(config: Config): void {
  const owners = new Map<number, string>();
  for (const [variable, port] of listOwnPorts(config)) {
    const owner = owners.get(port);
    if (owner !== undefined) {
      throw new StartError(`${variable} is invalid: ${owner} has the port ${port} already`);
    }
    owners.set(port, variable);
  }
  const { first, last } = config.ftpPassivePorts;
  const inside = [...owners].flatMap(([port, owner]) =>
    port < first || port > last ? [] : [owner],
  );
  if ([...owners.values()].includes('FTP_PORT') && inside.length > last - first) {
    const have = inside.length === 1 ? 'has' : 'have';
    throw new StartError(
      `FTP_PASSIVE_PORTS is invalid: ${inside.join(', ')} ${have} every port of the range`,
    );
  }
}

/**
 * Lists the ports that the process opens at its start, each with its variable. Left out are those that are switched off,
 * and a PORT of 0, for which the system chooses one.
 */
export function listOwnPorts(config: Config): readonly NamedPort[] {
  const { port, egtsPort, jt808Port, jt1078Port, osmandPort, ftpPort, roles } = config;
  const takesUnits = roles.includes('ingest');
  // Only terminals of JT/T 808 are sent to the ports for video.
  const takesVideo = takesUnits && jt808Port !== 0;
  const all: readonly (readonly [string, number, boolean])[] = [
    ['PORT', port, true],
    ['EGTS_PORT', egtsPort, takesUnits],
    ['JT808_PORT', jt808Port, takesUnits],
    ['JT1078_PORT', jt1078Port, takesVideo],
    ['OSMAND_PORT', osmandPort, takesUnits],
    ['FTP_PORT', ftpPort, takesVideo],
  ];
  return all.flatMap(([variable, own, isOpened]) =>
    own === 0 || !isOpened ? [] : [[variable, own] as const],
  );
}
