/** Rooms and their imports for tests. @param lines a room and the rooms that it imports: `a: b c` */
export const roomsOf = (...lines: string[]) =>
  new Map(
    lines.map((line): [string, Set<string>] => {
      const [room = '', imports = ''] = line.split(': ');
      return [room, new Set(imports.split(' ').filter(Boolean))];
    }),
  );
