import type { Plugin } from 'vite';

/** The parts of a call that screens never read: only the server validates and describes it. */
const UNREAD = new Set([
  'summary',
  'scope',
  'errors',
  'params',
  'query',
  'body',
  'maxBodyBytes',
  'apart',
  'tagged',
  'produces',
]);

/**
 * Leaves out of the contract's calls what built screens do not read, so that the bundler also drops the schemas that
 * nothing else uses. Of `response`, which only development checks, it stays known that there is one.
 */
export const leanContract: Plugin = {
  name: 'lean-contract',
  apply: 'build',
  // After the types are gone.
  enforce: 'post',
  transform: {
    filter: { id: /contract\/src\/[\w-]+\.ts$/ },
    handler(code) {
      const edits: { start: number; end: number; text: string }[] = [];
      for (const statement of this.parse(code).body) {
        const declared =
          statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
        if (declared?.type !== 'VariableDeclaration') continue;
        for (const { init } of declared.declarations) {
          if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') continue;
          if (init.callee.name !== 'endpoint') continue;
          const [parts] = init.arguments;
          if (parts?.type !== 'ObjectExpression') continue;
          for (const part of parts.properties) {
            if (part.type !== 'Property' || part.key.type !== 'Identifier') continue;
            const { start, end, key } = part;
            if (key.name === 'response') edits.push({ start, end, text: 'response: true' });
            else if (UNREAD.has(key.name)) edits.push({ start, end, text: `${key.name}: void 0` });
          }
        }
      }
      let lean = code;
      for (const { start, end, text } of edits.toReversed()) {
        lean = lean.slice(0, start) + text + lean.slice(end);
      }
      return { code: lean, map: null };
    },
  },
};
