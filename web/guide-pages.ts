import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { readMarkdown } from './src/features/help/markdown.ts';

/**
 * Turns a document into a module with its `blocks`; its pictures become files of the build. A picture that was not taken
 * yet is left out, because the screens must be built to take it; scripts/guide.test.ts finds it missing.
 */
export const guidePages: Plugin = {
  name: 'guide-pages',
  transform: {
    filter: { id: /\/docs\/.*\.md$/ },
    handler(text, id) {
      const blocks = readMarkdown(text).filter(
        (one) => one.kind !== 'picture' || existsSync(path.join(path.dirname(id), one.source)),
      );
      const pictures = blocks.flatMap((one) => (one.kind === 'picture' ? [one.source] : []));
      const imports = pictures.map(
        (source, index) => `import picture${index} from './${source}?url';`,
      );
      const sources = pictures.map(
        (source, index) => `[${JSON.stringify(source)}, picture${index}]`,
      );
      return {
        code: [
          ...imports,
          `const pictures = new Map([${sources.join(', ')}]);`,
          `export const blocks = ${JSON.stringify(blocks)}.map((one) =>`,
          "  one.kind === 'picture' ? { ...one, source: pictures.get(one.source) } : one);",
        ].join('\n'),
        map: null,
      };
    },
  },
};
