import type { PageFiles } from './guide.ts';

/** The pages of the guide in English, by file. */
export const files: PageFiles = import.meta.glob('../../../../docs/guide/en/*.md', { eager: true });
