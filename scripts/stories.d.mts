export const storiesOfRooms: Readonly<Record<string, readonly string[]>>;
export function findStories(root: string, changed: readonly string[]): string[];
