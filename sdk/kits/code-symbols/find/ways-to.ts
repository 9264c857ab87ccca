import type { Tree, TreeCursor } from "web-tree-sitter";
import type { Step } from "../languages/selector.ts";

const stepAt = (cursor: TreeCursor): Step => ({
  node: cursor.currentNode,
  field: cursor.currentFieldName ?? "",
});

/**
 * The nodes from the root down to the leaf at each of some places, which must be in order; places that no
 * leaf covers are left out. One walk for all of them: a part of the tree without any place in it is passed
 * over, and no node is met twice for two leaves.
 */
export function* waysTo(
  tree: Tree,
  places: Iterable<number>,
): Generator<readonly [at: number, way: readonly Step[]], undefined> {
  const cursor = tree.walk();
  const above: Step[] = [];
  try {
    for (const at of places) {
      const leaf = walkTo(cursor, above, at);
      if (leaf !== undefined) yield [at, [...above, leaf]];
    }
    return undefined;
  } finally {
    cursor.delete();
  }
}

/** Moves the cursor on to a place; `above` are the nodes above it, and stay so. */
function walkTo(cursor: TreeCursor, above: Step[], at: number): Step | undefined {
  for (;;) {
    if (cursor.endIndex <= at) {
      if (cursor.gotoNextSibling()) continue;
      if (!cursor.gotoParent()) return undefined;
      above.pop();
      if (cursor.endIndex > at) return undefined;
      continue;
    }
    if (cursor.startIndex > at) return undefined;
    const step = stepAt(cursor);
    if (!cursor.gotoFirstChild()) return step;
    above.push(step);
  }
}
