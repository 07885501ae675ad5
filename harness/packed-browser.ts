// Unpacks the packaged Chromium once, atomically, into this copy's node_modules. The package itself would unpack into
// the temporary folder, where another user's or an interrupted copy would be in the way.
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import chromiumPackage, { inflate } from '@sparticuz/chromium';
import root from '../package.json' with { type: 'json' };

const MODULES = path.resolve(import.meta.dirname, '../node_modules');
const ARCHIVES = path.join(MODULES, '@sparticuz/chromium/bin');
const FOLDER = path.join(MODULES, `.chromium-${root.devDependencies['@sparticuz/chromium']}`);

/** Font configuration; the package's own names folders of a cloud. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

export interface PackedBrowser {
  readonly executablePath: string;
  /** Paths of its libraries and, on a machine without fonts, of its fonts. */
  readonly env: Readonly<Record<string, string>>;
}

/** Unpacks the browser on first use. */
export async function unpackBrowser(): Promise<PackedBrowser> {
  if (!existsSync(FOLDER)) await unpack();
  return {
    executablePath: path.join(FOLDER, 'chromium'),
    env: {
      LD_LIBRARY_PATH: path.join(FOLDER, 'al2023/lib'),
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: FOLDER }),
    },
  };
}

async function unpack(): Promise<void> {
  const folder = await mkdtemp(`${FOLDER}-`);
  const before = process.env.TMPDIR;
  // The package reads TMPDIR only to choose where it unpacks.
  process.env.TMPDIR = folder;
  try {
    await chromiumPackage.executablePath();
    await inflate(path.join(ARCHIVES, 'al2023.tar.br'));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await writeFile(path.join(folder, 'fonts.conf'), FONTS);
  await chmod(folder, 0o755);
  await chmod(path.join(folder, 'chromium'), 0o755);
  try {
    await rename(folder, FOLDER);
  } catch (error) {
    await rm(folder, { recursive: true });
    // Another process was faster.
    if (!existsSync(FOLDER)) throw error;
  }
}
