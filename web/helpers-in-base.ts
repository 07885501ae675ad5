import type { Plugin } from 'vite';

/**
 * Moves the bundler's helpers into the base chunk. When chunks are grouped by rules, the bundler makes a chunk of 700
 * bytes for them, which every screen would request before the first paint.
 */
export const helpersInBase: Plugin = {
  name: 'helpers-in-base',
  apply: 'build',
  generateBundle: {
    // Run before the bundler writes the page and the preload lists.
    order: 'pre',
    handler: (_options, bundle) => {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const helpers = chunks.find(({ name }) => name === 'rolldown-runtime');
      if (helpers === undefined) return;
      const base = chunks.find(({ name }) => name === 'base');
      const exported = /export\{([^}]*)\};?\s*$/.exec(helpers.code);
      if (base === undefined || exported === null) throw new Error('The helpers have no place.');

      const names = readNames(exported[1] ?? '');
      const importing = new RegExp(`import\\{([^}]*)\\}from"\\./${lastOf(helpers.fileName)}";`);
      for (const chunk of chunks) {
        chunk.imports = chunk.imports.filter((name) => name !== helpers.fileName);
        if (chunk === base) continue;
        chunk.code = chunk.code.replace(importing, (_all, list: string) => {
          const renamed = readNames(list).map(([from, to]) => `helper_${from} as ${to}`);
          return `import{${renamed}}from"./${lastOf(base.fileName)}";`;
        });
      }
      const inBase = readNames(importing.exec(base.code)?.[1] ?? '');
      base.code = [
        `const helpers=(()=>{${helpers.code.slice(0, exported.index)}`,
        `return{${names.map(([from, to]) => `${to}:${from}`)}}})(),`,
        `{${inBase.map(([from, to]) => `${from}:${to}`)}}=helpers;`,
        `export const{${names.map(([, to]) => `${to}:helper_${to}`)}}=helpers;`,
        base.code.replace(importing, ''),
      ].join('');
      delete bundle[helpers.fileName];
    },
  },
};

/** Reads the names of `a as b,c`. */
function readNames(list: string): [from: string, to: string][] {
  return list.split(',').map((pair) => {
    const [from = '', to = from] = pair.split(' as ');
    return [from, to];
  });
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
