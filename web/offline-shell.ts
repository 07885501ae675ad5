import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/** Chunks that the shell consists of, by name: what sign-in, the shell, the home page and the list need. */
const SHELL_CHUNKS = ['base', 'index', 'list', 'home-screen', 'login-screen', 'catalogue'];

/**
 * Writes the service worker, with the build's entry and the files of the shell. A worker has one address for ever, so it
 * is no chunk of the build.
 */
export const offlineShell: Plugin = {
  name: 'offline-shell',
  apply: 'build',
  enforce: 'post',
  async generateBundle(_options, bundle) {
    const html = bundle['index.html'];
    const page = html?.type === 'asset' ? String(html.source) : '';
    const entry = /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1];
    if (entry === undefined) throw new Error('The page has no entry script.');
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const own = chunks.filter(({ name }) => SHELL_CHUNKS.includes(name));
    const styles = own.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
    const fonts = Object.keys(bundle).filter((file) => file.endsWith('.woff2'));
    const files = new Set(own.map(({ fileName }) => fileName));
    for (const file of [...styles, ...fonts]) files.add(file);
    const shell = [...new Set(['/', entry, ...[...files].sort().map((file) => `/${file}`)])];
    const source = await readFile(new URL('service-worker.js', import.meta.url), 'utf8');
    this.emitFile({
      type: 'asset',
      fileName: 'sw.js',
      source: source
        .replace("'__BUILD__'", JSON.stringify(entry))
        .replace("['__SHELL__']", JSON.stringify(shell)),
    });
  },
};
