// The things that can be picked, as a tree: groups with leaves.

/** A leaf with an id, or a group of nodes. */
export interface PickNode {
  readonly key: string;
  readonly name: string;
  /** Tells apart leaves of one name. */
  readonly note?: string | undefined;
  /** Of a leaf. */
  readonly id?: number;
  readonly parts?: readonly PickNode[];
}

/** A visible row of the tree. */
export interface PickRow {
  readonly node: PickNode;
  readonly depth: number;
  /** The leaves in it. */
  readonly ids: readonly number[];
  readonly isOpen: boolean;
}

/** The ids of all leaves of nodes. */
export function idsIn(nodes: readonly PickNode[]): number[] {
  return nodes.flatMap(({ id, parts }) => (id === undefined ? idsIn(parts ?? []) : [id]));
}

/** The visible rows: all nodes of the top, and the parts of open groups. A group without leaves is none. */
export function rowsOf(
  nodes: readonly PickNode[],
  isOpen: (key: string) => boolean,
  depth = 0,
): PickRow[] {
  return nodes.flatMap((node) => {
    const ids = idsIn([node]);
    if (ids.length === 0) return [];
    const row = { node, depth, ids, isOpen: node.parts !== undefined && isOpen(node.key) };
    return row.isOpen ? [row, ...rowsOf(node.parts ?? [], isOpen, depth + 1)] : [row];
  });
}
