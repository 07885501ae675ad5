// A port that two settings of a process name is refused at the start: the later one would say that another program has it.
import { describe, expect, it } from 'vitest';
import { readConfig, type ServerRole } from './config.ts';
import { StartError } from './errors.ts';
import { expectOwnPorts } from './own-ports.ts';

type Ports = Readonly<Record<string, string>>;
const startWith =
  (ports: Ports, roles?: readonly ServerRole[]): (() => void) =>
  () =>
    expectOwnPorts(readConfig(ports, roles && { roles }));

describe('a port that two settings name', () => {
  it.each<[Ports, string]>([
    [{ PORT: '20332' }, 'EGTS_PORT is invalid: PORT has the port 20332 already'],
    [{ JT808_PORT: '20332' }, 'JT808_PORT is invalid: EGTS_PORT has the port 20332 already'],
    [{ JT808_PORT: '1078' }, 'JT1078_PORT is invalid: JT808_PORT has the port 1078 already'],
    [{ OSMAND_PORT: '8080' }, 'OSMAND_PORT is invalid: PORT has the port 8080 already'],
    [
      { OSMAND_PORT: '7000', FTP_PORT: '7000' },
      'FTP_PORT is invalid: OSMAND_PORT has the port 7000 already',
    ],
  ])('%j is refused with the names of both', (ports, sentence) => {
    expect(startWith(ports)).toThrow(new StartError(sentence));
  });

  it.each<[Ports, string]>([
    [{ FTP_PASSIVE_PORTS: '20021-20021' }, 'FTP_PORT has every port of the range'],
    [
      { PORT: '20020', OSMAND_PORT: '20022', FTP_PASSIVE_PORTS: '20020-20022' },
      'PORT, OSMAND_PORT, FTP_PORT have every port of the range',
    ],
  ])('%j is refused, as it leaves none for the data of FTP', (ports, sentence) => {
    expect(startWith(ports)).toThrow(new StartError(`FTP_PASSIVE_PORTS is invalid: ${sentence}`));
  });
});

describe('ports', () => {
  it.each<[string, Ports]>([
    ['as they are unless set', {}],
    ['that are switched off', { EGTS_PORT: '0', JT808_PORT: '0', OSMAND_PORT: '0' }],
    ['that any free one may be', { PORT: '0', OSMAND_PORT: '0' }],
    ['for video that are off with JT/T 808', { PORT: '1078', JT808_PORT: '0' }],
    ['for FTP that are off with JT/T 808', { PORT: '20021', JT808_PORT: '0' }],
    [
      'among those for the data of FTP, which leaves them out',
      { PORT: '20100', FTP_PORT: '20199' },
    ],
    [
      'that are all those for the data of FTP, while FTP is off',
      { FTP_PASSIVE_PORTS: '20332-20332', FTP_PORT: '0' },
    ],
  ])('%s are taken', (_which, ports) => {
    expect(startWith(ports)).not.toThrow();
  });

  it('of units do not bind a process that takes nothing from them', () => {
    const ports = { PORT: '20332' };
    expect(startWith(ports, ['api', 'worker'])).not.toThrow();
    expect(startWith(ports, ['ingest'])).toThrow(StartError);
  });
});
