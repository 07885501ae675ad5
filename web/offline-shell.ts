import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/** Chunks that the shell consists of, by name, with all that they import: sign-in, the list, the home page, the texts. */
const SHELL_CHUNKS = ['base', 'list', 'home-screen', 'catalogue'];

/**
 * Writes the service worker, with a name of the build and the files of the shell, and the name into the page, so that the
 * two can tell whether they are of one build. A worker has one address for ever, so it is no chunk of the build.
 */
export const offlineShell: Plugin = {
  name: 'offline-shell',
  apply: 'build',
  enforce: 'post',
  async generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const own = new Set(chunks.filter(({ name }) => SHELL_CHUNKS.includes(name)));
    // A set that grows while it is read: each chunk is followed once.
    for (const { imports } of own) {
      for (const file of imports) {
        const imported = bundle[file];
        if (imported?.type === 'chunk') own.add(imported);
      }
    }
    const styles = [...own].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
    const fonts = Object.keys(bundle).filter((file) => file.endsWith('.woff2'));
    const files = new Set([...own].map(({ fileName }) => fileName));
    for (const file of [...styles, ...fonts]) files.add(file);
    const shell = ['/', ...[...files].sort().map((file) => `/${file}`)];
    // The names contain hashes of what is in the files.
    const build = createHash('sha256').update(shell.join()).digest('hex').slice(0, 16);
    const html = bundle['index.html'];
    if (html?.type !== 'asset') throw new Error('The build has no page.');
    html.source = String(html.source).replace(
      '<head>',
      `<head><meta name="build" content="${build}">`,
    );
    const source = await readFile(new URL('service-worker.js', import.meta.url), 'utf8');
    this.emitFile({
      type: 'asset',
      fileName: 'sw.js',
      source: source
        .replace("'__BUILD__'", JSON.stringify(build))
        .replace("['__SHELL__']", JSON.stringify(shell)),
    });
  },
};
