// Reads the imports of source files with the parser of knip.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string;
  /** Specifiers as written. */
  readonly imports: readonly string[];
  readonly lines: number;
  /** Type assertions (`x as T`) without `as const`. */
  readonly casts: number;
  /** Comments that disable a check. */
  readonly exemptions: number;
}

/**
 * Reads all TypeScript files below a folder.
 * @param root the project's root
 * @param folder from the root
 * @returns by path
 * @throws Error if a file cannot be parsed
 */
export function readSources(root: string, folder: string): SourceFile[] {
  let names: string[];
  try {
    names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => `${folder}/${name.split(path.sep).join('/')}`)
    .sort()
    .map((name) => readSource(root, name));
}

function readSource(root: string, name: string): SourceFile {
  const text = readFileSync(path.join(root, name), 'utf8');
  const { program, module, comments, errors } = parseSync(name, text);
  const [error] = errors;
  if (error) throw new Error(`${name}: ${error.message}`);
  const imports = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest) imports.push(moduleRequest.value);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const written = /^['"`](.*)['"`]$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    if (written?.[1] !== undefined) imports.push(written[1]);
  }
  let casts = 0;
  new Visitor({
    TSAsExpression({ typeAnnotation }) {
      const isConst =
        typeAnnotation.type === 'TSTypeReference' &&
        typeAnnotation.typeName.type === 'Identifier' &&
        typeAnnotation.typeName.name === 'const';
      if (!isConst) casts += 1;
    },
    // A thread starts from a file: new URL('./worker.ts', import.meta.url).
    NewExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'URL') return;
      if (first?.type !== 'Literal' || typeof first.value !== 'string') return;
      if (/^\.{1,2}\//.test(first.value)) imports.push(first.value);
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
 * @param from the importing file, from the root
 * @param specifier as written
 * @param packages of the project
 * @returns a path from the root; undefined for a library
 */
export function resolveImport(
  from: string,
  specifier: string,
  packages: readonly { readonly path: string; readonly name: string }[],
): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  const owner = packages.find(({ name }) => specifier.startsWith(`${name}/`));
  if (owner === undefined) return undefined;
  const rest = specifier.slice(owner.name.length + 1);
  return rest.startsWith('src/')
    ? path.posix.join(owner.path, rest.slice('src/'.length))
    : `${owner.path}/${rest}.ts`;
}
