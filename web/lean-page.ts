import type { Plugin } from 'vite';

let styles = '';

/** Writes the first styles into the page: as a file they would cost a request before the first paint. */
export const leanPage: Plugin = {
  name: 'lean-page',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    // Before the bundler writes the page and the lists of what a chunk loads.
    order: 'pre',
    handler: (_options, bundle) => {
      const base = Object.values(bundle).find(({ name }) => name === 'base');
      const names = base?.type === 'chunk' ? base.viteMetadata?.importedCss : undefined;
      if (names === undefined) throw new Error('The build has no first styles.');
      const files = [...names].map((name) => bundle[name]);
      styles = files.map((file) => (file?.type === 'asset' ? String(file.source) : '')).join('');
      for (const name of names) delete bundle[name];
      names.clear();
    },
  },
  transformIndexHtml: {
    order: 'post',
    handler: () => [{ tag: 'style', children: styles, injectTo: 'head' }],
  },
};
