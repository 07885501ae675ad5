// web/guide-pages.ts turns a document into such a module.
declare module '*.md' {
  export const blocks: readonly import('./markdown.ts').Block[];
}
