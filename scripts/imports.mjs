// Reads the imports of source files with the parser of knip.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/**
 * @typedef {object} SourceFile
 * @property {string} path from the root, with `/`
 * @property {readonly string[]} imports specifiers as written
 * @property {number} lines
 * @property {number} casts type assertions (`x as T`) without `as const`
 * @property {number} exemptions comments that disable a check
 */

/**
 * Reads all TypeScript files below a folder.
 * @param {string} root the project's root
 * @param {string} folder from the root
 * @returns {SourceFile[]} by path
 * @throws {Error} if a file cannot be parsed
 */
export function readSources(root, folder) {
  let names;
  try {
    names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => `${folder}/${name.split(path.sep).join('/')}`)
    .sort()
    .map((name) => readSource(root, name));
}

function readSource(root, name) {
  const text = readFileSync(path.join(root, name), 'utf8');
  const { program, module, comments, errors } = parseSync(name, text);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  const imports = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest) imports.push(moduleRequest.value);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const written = /^['"`](.*)['"`]$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    if (written) imports.push(written[1]);
  }
  let casts = 0;
  new Visitor({
    TSAsExpression({ typeAnnotation }) {
      if (typeAnnotation.typeName?.name !== 'const') casts += 1;
    },
    // A thread starts from a file: new URL('./worker.ts', import.meta.url).
    NewExpression({ callee, arguments: [first] }) {
      if (
        callee.name === 'URL' &&
        typeof first?.value === 'string' &&
        /^\.{1,2}\//.test(first.value)
      ) {
        imports.push(first.value);
      }
    },
  }).visit(program);
  const exemptions = comments.filter(({ value }) =>
    /^\s*(biome-ignore|@ts-(expect-error|ignore|nocheck)|eslint-disable)/.test(value),
  ).length;
  const lines = text.split('\n').length - 1;
  return { path: name, imports: [...new Set(imports)], lines, casts, exemptions };
}

/**
 * Resolves an import.
 * @param {string} from the importing file, from the root
 * @param {string} specifier as written
 * @param {readonly { path: string, name: string }[]} packages of the project
 * @returns {string | undefined} a path from the root; undefined for a library
 */
export function resolveImport(from, specifier, packages) {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  const owner = packages.find(({ name }) => specifier.startsWith(`${name}/`));
  if (owner === undefined) return undefined;
  const rest = specifier.slice(owner.name.length + 1);
  return rest.startsWith('src/')
    ? path.posix.join(owner.path, rest.slice('src/'.length))
    : `${owner.path}/${rest}.ts`;
}
