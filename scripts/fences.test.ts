import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCrossings } from './fences.ts';

const root = path.resolve(import.meta.dirname, '..');

interface Planted {
  readonly file: string;
  readonly text: string;
  /** The rule or fence that must report it; undefined for an allowed import. */
  readonly rule?: string;
}

/** A used import, so that only the fence can report it. */
const importing = (source: string): string =>
  `import { thing } from '${source}';\n\nexport const used = thing;\n`;

const library = 'noRestrictedImports';
/** Message of scripts/fences.ts. */
const fence = 'crosses a fence';

const planted: Record<string, Planted> = {
  'the contract imports the server': {
    file: 'contract/src/planted-server.ts',
    text: importing('@ridewatch/server/db'),
    rule: fence,
  },
  'the contract imports a package that is not zod/mini or dayjs': {
    file: 'contract/src/planted-package.ts',
    text: importing('fastify'),
    rule: library,
  },
  'the contract imports Node': {
    file: 'contract/src/planted-node.ts',
    text: importing('node:fs'),
    rule: library,
  },
  'the server imports the web by path': {
    file: 'server/src/planted-web.ts',
    text: importing('../../web/src/core/session.ts'),
    rule: fence,
  },
  'the server imports a unit by name': {
    file: 'server/src/buses/planted-unit.ts',
    text: importing('@ridewatch/unit/uplink'),
    rule: fence,
  },
  'the server imports the contract by path': {
    file: 'server/src/planted-contract.ts',
    text: importing('../../contract/src/day.ts'),
    rule: fence,
  },
  'a feature of the server imports the inside of another': {
    file: 'server/src/buses/planted-feature.ts',
    text: importing('../ingest/store/write-batch.ts'),
    rule: fence,
  },
  'a feature of the server imports the inside of another by its package name': {
    file: 'server/src/buses/planted-name.ts',
    text: importing('@ridewatch/server/src/ingest/store/write-batch.ts'),
    rule: fence,
  },
  'a feature of the server imports the inside of another when it is called': {
    file: 'server/src/buses/planted-dynamic.ts',
    text: "export const load = () => import('../ingest/store/write-batch.ts');\n",
    rule: fence,
  },
  'a feature of the server starts a thread of another': {
    file: 'server/src/buses/planted-thread.ts',
    text: "export const file = new URL('../laps/computation/worker.ts', import.meta.url);\n",
    rule: fence,
  },
  'a feature of the server imports what one that stands behind it gives': {
    file: 'server/src/buses/planted-behind.ts',
    text: importing('../manual-counts/saved-counts.ts'),
    rule: fence,
  },
  'a feature of the server imports what puts the server together': {
    file: 'server/src/buses/planted-top.ts',
    text: importing('../app.ts'),
    rule: fence,
  },
  'the core imports a feature, even what it gives': {
    file: 'server/src/core/planted-feature.ts',
    text: importing('../buses/announce.ts'),
    rule: fence,
  },
  'a lower room imports one of its own layer': {
    file: 'server/src/storage/planted-beside.ts',
    text: importing('../days/bus-days.ts'),
    rule: fence,
  },
  'the lap engine imports the job that runs it': {
    file: 'server/src/laps/engine/planted-job.ts',
    text: importing('../computation/job.ts'),
    rule: fence,
  },
  'the lap engine imports the core': {
    file: 'server/src/laps/engine/planted-core.ts',
    text: importing('../../core/errors.ts'),
    rule: fence,
  },
  'the product imports what belongs to tests': {
    file: 'server/src/buses/planted-support.ts',
    text: importing('../test/fleet.ts'),
    rule: fence,
  },
  'a file of the server lies in no room': {
    file: 'server/src/planted-loose.ts',
    text: 'export const one = 1;\n',
    rule: fence,
  },
  'a folder within a feature of the server imports the inside of another': {
    file: 'server/src/buses/rows/planted-feature.ts',
    text: importing('../../ingest/store/write-batch.ts'),
    rule: fence,
  },
  'a unit imports the server by path': {
    file: 'unit/src/uplink/planted-server.ts',
    text: importing('../../../server/src/core/db/db.ts'),
    rule: fence,
  },
  'the web imports Node': {
    file: 'web/src/core/planted-node.ts',
    text: importing('node:path'),
    rule: 'noNodejsModules',
  },
  'the web imports the server by path': {
    file: 'web/src/core/planted-server.ts',
    text: importing('../../../server/src/core/db/db.ts'),
    rule: fence,
  },
  'a feature of the web imports one that stands behind it': {
    file: 'web/src/features/login/planted-feature.ts',
    text: importing('../stats/series.ts'),
    rule: fence,
  },
  'a feature of the web imports one behind it the long way round': {
    file: 'web/src/features/login/planted-detour.ts',
    text: importing('../../features/stats/series.ts'),
    rule: fence,
  },
  'what all screens share imports a feature': {
    file: 'web/src/ui/planted-feature.ts',
    text: importing('../features/login/sign-in.ts'),
    rule: fence,
  },
  "a bus's page imports a tool": {
    file: 'web/src/bus-page/planted-tool.ts',
    text: importing('../features/merges/merge-dialog.tsx'),
    rule: fence,
  },
  'a room of the web imports one of a higher layer': {
    file: 'web/src/ui/planted-layer.ts',
    text: importing('../calls/api.ts'),
    rule: fence,
  },
  'a room of the web imports the table of screens': {
    file: 'web/src/bus-page/planted-table.ts',
    text: importing('../shell/screens.tsx'),
    rule: fence,
  },
  'a file of the web lies in no room': {
    file: 'web/src/planted-nowhere.ts',
    text: 'export const nowhere = 1;',
    rule: fence,
  },
  'full zod instead of zod/mini': {
    file: 'server/src/core/planted-zod.ts',
    text: importing('zod'),
    rule: library,
  },
  'a second library for dates': {
    file: 'web/src/core/planted-dates.ts',
    text: importing('date-fns'),
    rule: library,
  },
  'zones computed outside the contract': {
    file: 'unit/src/planted-zone.ts',
    text: importing('dayjs/plugin/timezone.js'),
    rule: library,
  },
  'an import cycle': {
    file: 'server/src/core/planted-one.ts',
    text: importing('./planted-two.ts').replace('used', 'thing2'),
    rule: 'noImportCycles',
  },
  'a default export': {
    file: 'server/src/core/planted-default.ts',
    text: 'export default 1;\n',
    rule: 'noDefaultExport',
  },
  'a barrel file': {
    file: 'server/src/core/planted-barrel.ts',
    text: "export { thing } from './planted-one.ts';\n",
    rule: 'noBarrelFile',
  },
  'the environment read outside config.ts': {
    file: 'server/src/core/planted-environment.ts',
    text: 'export const home = process.env.HOME;\n',
    rule: 'noProcessEnv',
  },
  'a promise that nobody waits for': {
    file: 'server/src/core/planted-promise.ts',
    text: 'async function work(): Promise<void> {}\n\nexport function start(): void {\n  work();\n}\n',
    rule: 'noFloatingPromises',
  },
  'a file name in capitals': {
    file: 'server/src/core/PlantedName.ts',
    text: 'export const one = 1;\n',
    rule: 'useFilenamingConvention',
  },
  'the type any': {
    file: 'server/src/core/planted-any.ts',
    text: 'export function same(value: any): unknown {\n  return value;\n}\n',
    rule: 'noExplicitAny',
  },
  'a file with two subjects': {
    file: 'server/src/core/planted-length.ts',
    text: Array.from({ length: 301 }, (_, number) => `export const one${number} = 1;\n`).join(''),
    rule: 'noExcessiveLinesPerFile',
  },
  'an import that nobody uses': {
    file: 'server/src/core/planted-unused.ts',
    text: "import { thing } from './planted-one.ts';\n\nexport const two = 2;\n",
    rule: 'noUnusedImports',
  },
  'the server imports the contract by name': {
    file: 'server/src/buses/allowed-contract.ts',
    text: importing('@ridewatch/contract/day'),
  },
  'a feature of the server imports what another gives': {
    file: 'server/src/bus-routes/allowed-given.ts',
    text: importing('../buses/announce.ts'),
  },
  'the job of laps imports the lap engine': {
    file: 'server/src/laps/allowed-engine.ts',
    text: importing('./engine/cut.ts'),
  },
  'a test imports whatever it needs': {
    file: 'server/src/buses/allowed.test.ts',
    text: importing('../ingest/store/write-batch.ts'),
  },
  'a feature of the server imports the core': {
    file: 'server/src/buses/allowed-core.ts',
    text: importing('../core/db/db.ts'),
  },
  'a feature of the web imports what all screens share': {
    file: 'web/src/features/bus-list/allowed-ui.ts',
    text: importing('../../ui/theme.ts'),
  },
  "a bus's page imports what all screens share": {
    file: 'web/src/bus-page/allowed-ui.ts',
    text: importing('../ui/theme.ts'),
  },
  'the contract imports zod/mini': {
    file: 'contract/src/allowed-zod.ts',
    text: importing('zod/mini'),
  },
};

let folder: string;
const complaints = new Map<string, string[]>();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-fences-'));
  await copyFile(path.join(root, 'biome.json'), path.join(folder, 'biome.json'));
  await writeFile(path.join(folder, '.gitignore'), 'node_modules/\n');
  const other: Planted = {
    file: 'server/src/core/planted-two.ts',
    text: importing('./planted-one.ts').replace('used', 'thing3'),
  };
  for (const { file, text } of [...Object.values(planted), other]) {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  for (const { category, location } of lint(folder)) {
    complain(location.path.replaceAll('\\', '/'), category.split('/').at(-1) ?? category);
  }
  for (const sentence of findCrossings(folder)) complain(sentence.split(' ')[0] ?? '', fence);
});

function complain(file: string, rule: string): void {
  complaints.set(file, [...(complaints.get(file) ?? []), rule]);
}

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('lint and fences refuse', () => {
  for (const [what, { file, rule }] of Object.entries(planted)) {
    if (rule === undefined) continue;
    test(what, () => expect(complaints.get(file)).toContain(rule));
  }
});

describe('lint and fences let pass', () => {
  for (const [what, { file, rule }] of Object.entries(planted)) {
    if (rule !== undefined) continue;
    test(what, () => expect(complaints.get(file) ?? []).toEqual([]));
  }
});

interface Diagnostic {
  readonly category: string;
  readonly location: { readonly path: string };
}

function lint(where: string): readonly Diagnostic[] {
  const biome = path.join(root, 'node_modules/.bin/biome');
  let output: string;
  try {
    output = execFileSync(biome, ['lint', '--reporter=json', '--max-diagnostics=none'], {
      cwd: where,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    // The exit code is 1, because of the planted files.
    output = (error as { stdout: string }).stdout;
  }
  return (JSON.parse(output) as { diagnostics: Diagnostic[] }).diagnostics;
}
